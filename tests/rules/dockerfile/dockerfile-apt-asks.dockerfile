FROM debian:12.5
# ruleid: dockerfile-apt-asks
RUN apt-get update && apt-get install curl
# ruleid: dockerfile-apt-asks
RUN apt-get install --no-install-recommends git
# ok: dockerfile-apt-asks
RUN apt-get install -y --no-install-recommends curl
# ok: dockerfile-apt-asks
RUN apt-get -y install --no-install-recommends git
# ok: dockerfile-apt-asks
RUN apt-get install -qq --no-install-recommends git

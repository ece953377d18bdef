FROM debian:12.5
# ruleid: dockerfile-recommended-packages
RUN apt-get update && apt-get install -y curl
# ruleid: dockerfile-recommended-packages
RUN apt install -y git
# ok: dockerfile-recommended-packages
RUN apt-get install -y --no-install-recommends curl
# ok: dockerfile-recommended-packages
RUN apt-get -y install --no-install-recommends git
# ok: dockerfile-recommended-packages
RUN npm install

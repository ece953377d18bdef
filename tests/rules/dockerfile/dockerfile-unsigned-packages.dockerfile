FROM debian:12.5
# ruleid: dockerfile-unsigned-packages
RUN apt-get install -y --allow-unauthenticated tool
# ruleid: dockerfile-unsigned-packages
RUN echo "deb [trusted=yes] https://example.org/apt ./" > /etc/apt/sources.list.d/a.list
# ruleid: dockerfile-unsigned-packages
RUN apk add --allow-untrusted tool.apk
# ok: dockerfile-unsigned-packages
RUN echo "deb [signed-by=/etc/apt/keyrings/a.gpg] https://example.org/apt ./" > /etc/apt/sources.list.d/a.list
# ok: dockerfile-unsigned-packages
RUN apt-get install -y --no-install-recommends tool

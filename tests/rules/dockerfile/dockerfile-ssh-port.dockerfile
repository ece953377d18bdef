FROM debian:12.5
# ruleid: dockerfile-ssh-port
EXPOSE 22
# ruleid: dockerfile-ssh-port
EXPOSE 8080 22/tcp
# ok: dockerfile-ssh-port
EXPOSE 2222
# ok: dockerfile-ssh-port
EXPOSE 443 8022
# ok: dockerfile-ssh-port
RUN echo 22

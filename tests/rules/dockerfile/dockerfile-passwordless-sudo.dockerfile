FROM debian:12.5
# ruleid: dockerfile-passwordless-sudo
RUN echo "app ALL=(ALL) NOPASSWD:ALL" > /etc/sudoers.d/app
# ruleid: dockerfile-passwordless-sudo
RUN adduser app && echo '%sudo ALL=(ALL) NOPASSWD: ALL' >> /etc/sudoers
# ok: dockerfile-passwordless-sudo
RUN echo "app ALL=(ALL) NOPASSWD: /usr/bin/systemctl reload nginx" > /etc/sudoers.d/app
# ok: dockerfile-passwordless-sudo
RUN adduser app

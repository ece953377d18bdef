FROM debian:12.5
# ruleid: dockerfile-sudo
RUN sudo apt-get update
# ruleid: dockerfile-sudo
RUN apt-get update && sudo make install
# ok: dockerfile-sudo
RUN apt-get install -y --no-install-recommends sudo
# ok: dockerfile-sudo
RUN echo "app ALL=(ALL) ALL" > /etc/sudoers.d/app

FROM debian:12.5
# ruleid: dockerfile-root-login
RUN sed -i 's/#PermitRootLogin prohibit-password/PermitRootLogin yes/' /etc/ssh/sshd_config
# ruleid: dockerfile-root-login
RUN echo "PermitRootLogin yes" >> /etc/ssh/sshd_config
# ok: dockerfile-root-login
RUN echo "PermitRootLogin no" >> /etc/ssh/sshd_config
# ok: dockerfile-root-login
RUN grep PermitRootLogin /etc/ssh/sshd_config

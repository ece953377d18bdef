FROM debian:12.5
# ruleid: dockerfile-password-set
RUN echo 'root:root'|chpasswd
# ruleid: dockerfile-password-set
RUN useradd -m -p no-real-hash app
# ok: dockerfile-password-set
RUN useradd --system --create-home app
# ok: dockerfile-password-set
RUN echo "app:$APP_PASSWORD" | chpasswd

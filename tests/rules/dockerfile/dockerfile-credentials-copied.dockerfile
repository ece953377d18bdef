FROM debian:12.5
# ruleid: dockerfile-credentials-copied
COPY id_rsa /root/.ssh/id_rsa
# ruleid: dockerfile-credentials-copied
ADD .aws/credentials /root/.aws/credentials
# ruleid: dockerfile-credentials-copied
COPY deploy/.netrc /root/.netrc
# ok: dockerfile-credentials-copied
COPY id_rsa.pub /root/.ssh/authorized_keys
# ok: dockerfile-credentials-copied
COPY . /app
# ok: dockerfile-credentials-copied
COPY requirements.txt /app/

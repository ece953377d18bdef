FROM debian:12.5
# ruleid: dockerfile-git-certificate-check-off
RUN git config --global http.sslVerify false
# ruleid: dockerfile-git-certificate-check-off
RUN git -c http.sslverify=false clone https://example.org/a.git
# ruleid: dockerfile-git-certificate-check-off
ENV GIT_SSL_NO_VERIFY=true
# ok: dockerfile-git-certificate-check-off
RUN git config --global http.sslVerify true
# ok: dockerfile-git-certificate-check-off
ENV GIT_SSL_NO_VERIFY=0

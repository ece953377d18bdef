FROM debian:12.5
# ruleid: dockerfile-world-writable
RUN chmod -R 777 /srv
# ruleid: dockerfile-world-writable
RUN mkdir /data && chmod a+rwx /data
# ruleid: dockerfile-world-writable
COPY --chmod=777 run.sh /run.sh
# ok: dockerfile-world-writable
RUN chmod 1777 /scratch
# ok: dockerfile-world-writable
RUN chmod +x /run.sh
# ok: dockerfile-world-writable
COPY --chmod=755 run.sh /run.sh

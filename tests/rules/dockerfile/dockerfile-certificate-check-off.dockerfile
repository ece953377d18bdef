FROM debian:12.5
# ruleid: dockerfile-certificate-check-off
RUN curl -fsSLk https://example.org/a -o /a
# ruleid: dockerfile-certificate-check-off
RUN wget --no-check-certificate https://example.org/a
# ruleid: dockerfile-certificate-check-off
RUN curl --insecure https://example.org/a -o /a
# ok: dockerfile-certificate-check-off
RUN curl -fsSL https://example.org/a -o /a
# ok: dockerfile-certificate-check-off
RUN curl --keepalive-time 2 -o /a https://example.org/a
# ok: dockerfile-certificate-check-off
RUN wget https://example.org/a && tar -xkf a
# ruleid: dockerfile-certificate-check-off
RUN curl -f \
    -k https://example.org/a \
    -o /a
# ok: dockerfile-certificate-check-off
RUN curl -f https://example.org/a \
    && tar -xkf a

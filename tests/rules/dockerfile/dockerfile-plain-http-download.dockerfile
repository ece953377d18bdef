FROM debian:12.5
# ruleid: dockerfile-plain-http-download
RUN curl -fsSL http://example.org/tool -o /usr/bin/tool
# ruleid: dockerfile-plain-http-download
RUN wget http://example.org/tool.tar.gz
# ok: dockerfile-plain-http-download
RUN curl -fsSL https://example.org/tool -o /usr/bin/tool
# ok: dockerfile-plain-http-download
HEALTHCHECK CMD curl -f http://localhost:8080/health
# ok: dockerfile-plain-http-download
RUN curl -f http://localhost:9200/ready

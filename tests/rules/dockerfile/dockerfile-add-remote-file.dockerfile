FROM debian:12.5
# ruleid: dockerfile-add-remote-file
ADD https://example.org/tool.tar.gz /opt/
# ruleid: dockerfile-add-remote-file
ADD --chown=app:app http://example.org/tool /opt/tool
# ok: dockerfile-add-remote-file
ADD --checksum=sha256:24454f830cdb571e2c4ad15481119c43b3cafd48dd869a9b2945d1036d1dc68d https://example.org/tool /opt/
# ok: dockerfile-add-remote-file
ADD local.tar.gz /opt/
# ok: dockerfile-add-remote-file
ADD https://example.com/owner/name/raw/0123456789abcdef0123456789abcdef01234567/tool /usr/local/bin/tool
# ruleid: dockerfile-add-remote-file
ADD https://example.com/owner/name/raw/main/tool /usr/local/bin/tool

FROM debian:12.5
# ruleid: dockerfile-piped-download
RUN curl -fsSL https://example.org/install.sh | bash
# ruleid: dockerfile-piped-download
RUN wget -qO- https://example.org/setup | sudo -E sh -
# ok: dockerfile-piped-download
RUN curl -fsSL https://example.org/a.tar.gz | tar xz
# ok: dockerfile-piped-download
RUN curl -fsSLo install.sh https://example.org/install.sh && sha256sum -c install.sha256
# ok: dockerfile-piped-download
# RUN curl https://example.org/install.sh | sh
# ruleid: dockerfile-piped-download
RUN curl -fsSL \
    https://example.org/install.sh \
    | bash
# ok: dockerfile-piped-download
RUN curl -fsSLO https://example.org/a \
    && echo a | sh

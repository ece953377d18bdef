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
# ruleid: dockerfile-piped-download
RUN bash -c "$(curl -fsSL https://example.org/install.sh)"
# ruleid: dockerfile-piped-download
RUN bash <(curl -s https://example.org/install.sh)
# ruleid: dockerfile-piped-download
RUN curl -sSL https://example.org/install | python3 -
# ok: dockerfile-piped-download
RUN curl -s https://example.org/a.json | python3 -m json.tool > a
# ok: dockerfile-piped-download
RUN version="$(curl -s https://example.org/version)" && make

# Mergegate as an image. `slim` (the last stage, so the default) scans repositories; `full` adds the
# browser of the site tools, and is a host (`serve`, `worker`; docs/operations.md):
#
#   docker build -t mergegate .                       advisories are fetched from OSV's public dumps
#   docker build --build-arg ADVISORIES=advisories .  … from the folder advisories/ here: no fetch
#   docker build --build-arg ADVISORIES=none .        … none: dependencies are then incomplete
#   docker build --target full .
#
# It starts as root only because a container action of GitHub must (its work tree and output files
# belong to others). While it is root, no engine is: each runs as `mergegate-engine`, without groups,
# capabilities or the environment. Wherever the platform lets you choose, add `--user 10001`.

ARG PYTHON=python:3.13-slim-trixie@sha256:9d2e5553305c7c7b0097999bb17187c69b921ccd6bc9d40e4bb5ebe652c00285


FROM ${PYTHON} AS runtime
# Git compares a change with its base; nothing else is missing from the image below.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates git \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
    && groupadd --gid 10001 mergegate \
    && groupadd --gid 10002 mergegate-engine \
    && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin mergegate \
    && useradd --uid 10002 --gid 10002 --no-create-home --home-dir /nonexistent \
        --shell /usr/sbin/nologin mergegate-engine \
    && install -d -m 0700 -o 10001 -g 10001 /var/cache/mergegate
COPY requirements.txt /usr/share/mergegate/
ARG PIP_NO_CACHE_DIR=1
ARG PIP_NO_COMPILE=1
ARG PIP_DISABLE_PIP_VERSION_CHECK=1
ARG PIP_ROOT_USER_ACTION=ignore
# Wheels alone, by hash: nothing that is downloaded runs during the installation. What only builds
# the package leaves again. Compiled once and for all: a read-only container cannot keep what it
# compiles at each start.
RUN python -m venv /opt/mergegate \
    && /opt/mergegate/bin/pip install --only-binary :all: --require-hashes \
        -r /usr/share/mergegate/requirements.txt \
    && /opt/mergegate/bin/pip uninstall --yes editables hatchling pluggy trove-classifiers \
    && /opt/mergegate/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash \
        /opt/mergegate/lib \
    && ln -s /opt/mergegate/bin/mergegate /usr/local/bin/mergegate


FROM runtime AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_NO_COMPILE=1 PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /build
# What builds the package is back; all others are there.
RUN /opt/mergegate/bin/pip install --only-binary :all: --require-hashes \
        -r /usr/share/mergegate/requirements.txt


FROM packages AS builder
COPY pyproject.toml hatch_build.py README.md LICENSE ./
COPY src src
COPY templates templates
RUN /opt/mergegate/bin/pip install --no-deps --no-build-isolation --prefix /opt/own . \
    && /opt/mergegate/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash \
        -s /opt/own -p /opt/mergegate /opt/own \
    && sed -i '1s/$/ -I/' /opt/own/bin/mergegate


FROM runtime AS slim
# Our own code is a small layer by itself: it changes more often than what it stands on.
COPY --from=builder /opt/own /opt/mergegate
# The store of advisories belongs to the image; answers are cached where the container may write.
ENV XDG_DATA_HOME=/var/lib \
    XDG_CACHE_HOME=/var/cache \
    MERGEGATE_ENGINE_USER=mergegate-engine
ARG ADVISORIES=
RUN --mount=type=bind,target=/context \
    case "$ADVISORIES" in \
        none) ;; \
        "") mergegate advisories update ;; \
        *://*) mergegate advisories update "$ADVISORIES" ;; \
        *) mergegate advisories update "/context/$ADVISORIES" ;; \
    esac \
    && install -d /usr/share/mergegate /var/lib/mergegate \
    && { mergegate advisories status > /usr/share/mergegate/advisories.txt || true; } \
    && chmod -R a+rX /var/lib/mergegate
# The image proves itself on its own recipe, which also compiles the parts of Python that it uses;
# `pip check` sees that nothing needs what was taken out.
RUN --mount=type=bind,target=/context \
    /opt/mergegate/bin/pip check \
    && mkdir /tmp/proof && cp /context/Dockerfile /tmp/proof/ \
    && mergegate scan /tmp/proof --offline --only code,secrets,iac,quality --fail-on never \
    && /opt/mergegate/bin/python -I /context/container/sbom.py > /usr/share/mergegate/sbom.cdx.json \
    && rm -rf /tmp/* /var/cache/mergegate/*
ARG VERSION=unreleased
ARG REVISION=unknown
ARG CREATED=
ARG SOURCE=
ARG ADVISORIES_DATE=
LABEL org.opencontainers.image.title="Mergegate" \
      org.opencontainers.image.description="One trustworthy answer before each merge" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.created="${CREATED}" \
      org.opencontainers.image.source="${SOURCE}" \
      org.opencontainers.image.documentation="${SOURCE}#readme" \
      io.mergegate.advisories.date="${ADVISORIES_DATE}"
ENTRYPOINT ["/usr/local/bin/mergegate"]
CMD ["--help"]


# What `full` has beside `slim`: the files of the packages of the site tools and of a host, and only
# those.
FROM packages AS site
# npm brings the packages that run in a page or beside the browser; it is needed here alone.
RUN apt-get update && apt-get install --yes --no-install-recommends npm
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY requirements-serve.txt hatch_build.py ./
RUN find /opt/mergegate -type f | sort > /tmp/before \
    && /opt/mergegate/bin/pip install --only-binary :all: --require-hashes -r requirements-serve.txt \
    && site=$(/opt/mergegate/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))') \
    && /opt/mergegate/bin/python -c 'import sys, pathlib, hatch_build; \
        hatch_build.pack(pathlib.Path("node_modules"), pathlib.Path(sys.argv[1]))' \
        "$site/mergegate/node_modules" \
    && find /opt/mergegate -type f -not -path '*/__pycache__/*' | sort \
        | comm -13 /tmp/before - > /tmp/added \
    && mkdir /opt/added && tar --create --files-from /tmp/added --absolute-names \
        | tar --extract --directory /opt/added --strip-components 2 \
    && /opt/mergegate/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash \
        -s /opt/added -p /opt/mergegate /opt/added


FROM slim AS full
# Chromium's fonts are few: Liberation stands for most that pages name, DejaVu for the system's own.
# The Node.js of Playwright's wheel links libatomic. /data is where a host's volume goes, which takes
# its owner.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium fonts-dejavu-core fonts-liberation \
        libatomic1 \
    && apt-get clean && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* \
    && install -d -m 0700 -o 10001 -g 10001 /var/cache/mergegate /data
COPY --from=site /opt/added /opt/mergegate
RUN --mount=type=bind,target=/context \
    /opt/mergegate/bin/python -I /context/container/sbom.py > /usr/share/mergegate/sbom.cdx.json


FROM slim

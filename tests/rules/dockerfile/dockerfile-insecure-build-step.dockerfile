FROM debian:12.5
# ruleid: dockerfile-insecure-build-step
RUN --security=insecure mount -t tmpfs none /mnt
# ruleid: dockerfile-insecure-build-step
RUN --mount=type=cache,target=/c --security=insecure make
# ok: dockerfile-insecure-build-step
RUN --security=sandbox make
# ok: dockerfile-insecure-build-step
RUN make

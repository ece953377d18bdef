"""A program, standard library alone: brings up loopback, then becomes the program that follows.

``loopback.py PROGRAM …`` runs in a network namespace that was just made: nothing is in it but a
loopback that is down, by which a scan's own parts talk to each other.
"""

import fcntl
import os
import socket
import struct
import sys

_SET_FLAGS, _UP = 0x8914, 0x1  # linux/sockios.h: SIOCSIFFLAGS; linux/if.h: IFF_UP


def main(argv: list[str]) -> None:
    """Never returns; an OSError ends it where this is no namespace of ours."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sH22x", b"lo", _UP))
    os.execvp(argv[0], argv)  # noqa: S606


if __name__ == "__main__":
    main(sys.argv[1:])

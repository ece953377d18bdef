"""Give up the network for good, then become another program: ``no_network.py PROGRAM [ARGUMENT…]``.

A system call filter refuses every socket but local ones. It needs no privilege and no namespace,
so it holds where a container forbids those. Runs alone, outside the package.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT, _FIRST_ARGUMENT_AT = 0, 4, 16
_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER_MODE = 38, 22, 2
_LOCAL = 1  # AF_UNIX
_X32 = 0x40000000
"""On x86-64 the same calls exist a second time from here on."""
_RING = 425
"""io_uring_setup: a ring opens sockets past the filter. The number is everyone's."""
_SOCKET = {"x86_64": (0xC000003E, 41), "aarch64": (0xC00000B7, 198)}
"""Machine → the kernel's name of it (linux/audit.h) and its number of ``socket``."""


def program(machine: str) -> bytes:
    """The filter as the kernel reads it; raises KeyError for a machine that is not known here."""
    architecture, socket = _SOCKET[machine]
    absent, away = _REFUSE | errno.ENOSYS, _REFUSE | errno.ENETUNREACH
    lines = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 0, 7, architecture),  # else absent
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 5, 0, _X32),  # absent
        (_EQUAL, 4, 0, _RING),  # absent
        (_EQUAL, 0, 4, socket),  # else allow
        (_LOAD, 0, 0, _FIRST_ARGUMENT_AT),
        (_EQUAL, 2, 0, _LOCAL),  # allow
        (_RETURN, 0, 0, away),
        (_RETURN, 0, 0, absent),
        (_RETURN, 0, 0, _ALLOW),
    ]
    return b"".join(struct.pack("=HBBI", *line) for line in lines)


def give_up() -> None:
    """Refuse sockets from now on, in this process and all that follow; raises OSError."""
    code = program(platform.machine())
    held = ctypes.create_string_buffer(code, len(code))
    loaded = ctypes.create_string_buffer(struct.pack("@HP", len(code) // 8, ctypes.addressof(held)))
    _control(_NO_NEW_PRIVS, 1)
    _control(_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(loaded))


def _control(option: int, first: int, second: int = 0) -> None:
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)
    if prctl(option, first, second, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the system call filter was refused")


if __name__ == "__main__":
    give_up()
    os.execv(sys.argv[1], sys.argv[1:])  # noqa: S606 - the argv is ours, there is no shell

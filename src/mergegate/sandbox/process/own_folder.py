"""Give up writing outside one folder for good, then become another program.

``own_folder.py FOLDER START PROGRAM [ARGUMENT…]``, which begins in START.
With Landlock (https://docs.kernel.org/userspace-api/landlock.html) nothing outside FOLDER can be
written, made or removed any more, devices of a terminal's kind and shared memory aside. The
environment and memory of other processes cannot be read, nor signals be sent to them; and a system
call filter refuses to set their limits, by which the kernel would end them. It needs no privilege
and no namespace. Runs alone, outside the package.
"""

import ctypes
import errno
import os
import platform
import struct
import sys

_CREATE, _ADD, _RESTRICT = 444, 445, 446
"""Numbers of the calls, which are everyone's."""
_ASK_VERSION = 1
_NO_NEW_PRIVS = 38
_BENEATH = 1  # LANDLOCK_RULE_PATH_BENEATH
_LEAST = 3
"""The version that refuses to shorten a file (Linux 6.2)."""
_SCOPES = 6
"""The version that keeps signals and abstract sockets in (Linux 6.12)."""
_WRITE, _TRUNCATE = 1 << 1, 1 << 14
_CHANGES = _WRITE | _TRUNCATE | sum(1 << bit for bit in range(4, 14))
"""Write, remove, make of every kind, move and shorten."""
_ABSTRACT_SOCKETS, _SIGNALS = 1 << 0, 1 << 1
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/tty", "/dev/ptmx", "/dev/pts")
_SHARED_MEMORY = "/dev/shm"  # noqa: S108 - semaphores live there
_LOAD, _EQUAL, _AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000
_NUMBER_AT, _ARCHITECTURE_AT, _PID_AT, _LIMIT_AT = 0, 4, 16, 32
_SET_SECCOMP, _FILTER_MODE = 22, 2
_X32 = 0x40000000
"""On x86-64 the same calls exist a second time from here on."""
_PRLIMIT = {"x86_64": (0xC000003E, 302), "aarch64": (0xC00000B7, 261)}
"""Machine → the kernel's name of it (linux/audit.h) and its number of ``prlimit64``."""


def version() -> int:
    """Landlock's version here; 0 where the kernel does not have it, or a container forbids it."""
    if sys.platform != "linux":
        return 0
    return max(0, int(_kernel().syscall(_CREATE, None, 0, _ASK_VERSION)))


def is_supported() -> bool:
    """Whether :func:`give_up` does all that it says."""
    return version() >= _LEAST and platform.machine() in _PRLIMIT


def give_up(folder: str) -> None:
    """Hold this process and all that follow to ``folder``; raises OSError where that cannot be."""
    here = version()
    if sys.platform != "linux" or here < _LEAST:
        raise OSError(0, "Landlock is missing, or too old")
    scoped = _ABSTRACT_SOCKETS | _SIGNALS if here >= _SCOPES else 0
    said = struct.pack("=QQQ", _CHANGES, 0, scoped)[: 24 if scoped else 8]
    rules = _called(_CREATE, said, len(said), 0)
    for place, allowed in (
        (folder, _CHANGES),
        (_SHARED_MEMORY, _CHANGES),
        *((one, _WRITE) for one in _DEVICES),
    ):
        if os.path.exists(place):  # noqa: PTH110
            _allow(rules, os.open(place, os.O_PATH | os.O_CLOEXEC), allowed)
    for stream in (1, 2):  # as /dev/stdout they are opened anew
        if os.path.isfile(f"/proc/self/fd/{stream}"):  # noqa: PTH113
            _allow(rules, stream, _WRITE | _TRUNCATE)
    if _kernel().prctl(_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "rights were not given up")
    _called(_RESTRICT, rules, 0)
    _keep_limits()


def _keep_limits() -> None:
    """Set no other process's limits: for those of its account the kernel asks no Landlock.

    A process may read them, and set its own, which it calls 0. Programs of another architecture,
    as 32-bit ones, have no system calls.
    """
    architecture, prlimit = _PRLIMIT[platform.machine()]
    lines = [
        (_LOAD, 0, 0, _ARCHITECTURE_AT),
        (_EQUAL, 0, 10, architecture),  # else absent
        (_LOAD, 0, 0, _NUMBER_AT),
        (_AT_LEAST, 8, 0, _X32),  # absent
        (_EQUAL, 0, 8, prlimit),  # else allow
        (_LOAD, 0, 0, _PID_AT),
        (_EQUAL, 6, 0, 0),  # allow
        (_LOAD, 0, 0, _LIMIT_AT),
        (_EQUAL, 0, 2, 0),  # else refuse
        (_LOAD, 0, 0, _LIMIT_AT + 4),
        (_EQUAL, 2, 0, 0),  # allow, else refuse
        (_RETURN, 0, 0, _REFUSE | errno.EPERM),
        (_RETURN, 0, 0, _REFUSE | errno.ENOSYS),  # absent
        (_RETURN, 0, 0, _ALLOW),
    ]
    code = b"".join(struct.pack("=HBBI", *line) for line in lines)
    held = ctypes.create_string_buffer(code, len(code))
    loaded = ctypes.create_string_buffer(struct.pack("@HP", len(lines), ctypes.addressof(held)))
    prctl = _kernel().prctl
    prctl.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)
    if prctl(_SET_SECCOMP, _FILTER_MODE, ctypes.addressof(loaded), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "the system call filter was refused")


def _allow(rules: int, place: int, allowed: int) -> None:
    _called(_ADD, rules, _BENEATH, struct.pack("=Qi", allowed, place), 0)


def _called(number: int, *arguments: int | bytes) -> int:
    answer = int(_kernel().syscall(number, *arguments))
    if answer < 0:
        raise OSError(ctypes.get_errno(), "Landlock refused")
    return answer


def _kernel() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


if __name__ == "__main__":
    give_up(sys.argv[1])
    os.chdir(sys.argv[2])
    os.execvp(sys.argv[3], sys.argv[3:])  # noqa: S606 - the argv is ours, there is no shell

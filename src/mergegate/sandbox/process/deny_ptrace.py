"""Close our own memory and environment to processes of the same user: a token lives there.

Engines get an empty environment; but where they share our account, ``/proc`` would show ours.
"""

import ctypes
import sys

_DUMPABLE = 4  # linux/prctl.h: PR_SET_DUMPABLE


def deny_ptrace() -> bool:
    """Whether others of our account can no longer look into this process; children start open.

    Call it before the first engine starts. Root with all capabilities still sees everything.
    """
    if sys.platform != "linux":
        return False
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = (ctypes.c_int, *(ctypes.c_ulong,) * 4)
    return bool(prctl(_DUMPABLE, 0, 0, 0, 0) == 0)

import os
import stat
from pathlib import Path


def share(path):
    # ruleid: python-world-writable
    os.chmod(path, 0o777)
    # ruleid: python-world-writable
    Path(path).chmod(0o666)
    # ruleid: python-world-writable
    os.chmod(path, stat.S_IRUSR | stat.S_IWOTH)


def keep(path):
    # ok: python-world-writable
    os.chmod(path, 0o644)
    # ok: python-world-writable
    Path(path).chmod(0o755)
    # ok: python-world-writable
    os.chmod(path, stat.S_IRUSR | stat.S_IWUSR)
    # ok: python-world-writable
    os.chmod(path, 0o770)

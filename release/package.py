"""Wheel and source archive, the empty environment that the wheel is tried in, and its bill."""

import os
import re
import subprocess
import sys
import venv
from hashlib import sha256
from pathlib import Path
from zipfile import ZipFile

from release.settings import NotReleased

_PROOF = "mergegate/node_modules/lighthouse/package.json"
_FORMER = re.compile(r"^Requires-Dist: (\S+\[site\])", re.MULTILINE)
"""An extra of ours under a name that is not ours: of its own name a build leaves no reference."""
_NPM = ("npm", "ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund")


def package(root: Path, out: Path) -> Path:
    """Both, in ``out``, of the commit in ``root``; returns the wheel. It takes hatchling.

    The same commit makes the same bytes. Raises NotReleased where the wheel lacks a part, or would
    have an index give what stands there under a name that this package has no longer.
    """
    if not (root / "node_modules").exists():
        run(root, *_NPM)
    moment = run(root, "git", "log", "-1", "--format=%ct").strip()
    build = (sys.executable, "-m", "hatchling", "build", "--directory", str(out))
    run(root, *build, SOURCE_DATE_EPOCH=moment)
    [wheel] = out.glob("*.whl")
    with ZipFile(wheel) as held:
        if _PROOF not in held.namelist():
            raise NotReleased(f"{wheel.name} lacks {_PROOF}")
        [metadata] = (one for one in held.namelist() if one.endswith(".dist-info/METADATA"))
        if former := _FORMER.search(held.read(metadata).decode()):
            raise NotReleased(
                f"{wheel.name} needs {former[1]}, which is another package: give the reference in "
                "pyproject.toml the new name too"
            )
    return wheel


def lend(lender: Path, root: Path) -> None:
    """Spare ``root`` the download of npm packages that ``lender`` has, from the same lock file."""
    stamp = lender / "node_modules" / ".stamp"
    lock = sha256((root / "package-lock.json").read_bytes()).hexdigest()
    if stamp.is_file() and stamp.read_text(encoding="utf-8").split()[0] == lock:
        (root / "node_modules").symlink_to(stamp.parent)


def install(wheel: Path, root: Path, environment: Path) -> str:
    """Make an ``environment`` of the wheel and what it needs, as locked; the version it tells."""
    venv.create(environment, with_pip=False)
    python = str(environment / "bin" / "python")
    uv = Path(sys.executable).with_name("uv")
    locked = ("--constraint", _constraints(root, environment), str(wheel))
    if uv.is_file():
        run(root, str(uv), "pip", "install", "--quiet", "--python", python, *locked)
    else:
        pip = (sys.executable, "-m", "pip", "--python", python)
        run(root, *pip, "install", "--quiet", "--only-binary", ":all:", *locked)
    return run(root, str(environment / "bin" / "mergegate"), "--version").split()[-1]


def _constraints(root: Path, environment: Path) -> str:
    """The lock file without its hashes: the wheel, which is part of the order, has none there."""
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    file = environment / "constraints.txt"
    pins = (line.rstrip("\\ ") for line in lines if line[:1].isalnum())
    file.write_text("\n".join(pins) + "\n", encoding="utf-8")
    return str(file)


def bill(root: Path, environment: Path) -> str:
    """What the installed wheel is made of, as CycloneDX."""
    program = str(root / "container" / "sbom.py")
    return run(root, str(environment / "bin" / "python"), "-I", program, "package")


def run(folder: Path, *command: str, **more: str) -> str:
    """What ``command`` prints; raises NotReleased with the end of what it said instead."""
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **more}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = (done.stdout + done.stderr).strip()
        raise NotReleased(f"{' '.join(command[:4])} ended with {done.returncode}:\n{said[-3000:]}")
    return done.stdout

"""Build and run the image without an engine running: buildah, podman and runc, on a stand-in base.

The base is Debian's own Python of the same release: this proves the Dockerfile, not the official
image below it. Everything is kept in a folder outside the repository, so a second run is short.
"""

import fcntl
import os
import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mergegate-tests"
ROOT = Path(__file__).parents[2]
WANTED = "MERGEGATE_TEST_CONTAINER"
IMAGE = "localhost/mergegate:test"
FULL, FULL_IMAGE = "full", "localhost/mergegate:full-test"
BUILT_WITHIN_S = 1800
"""A test that needs an image may be the one that builds it, from an empty cache."""
_BASE = "localhost/mergegate-base:trixie"
_TOOLS = ("debootstrap", "buildah", "podman", "runc")
_CERTIFICATES = Path("/etc/ssl/certs/ca-certificates.crt")
_STORAGE = '[storage]\ndriver = "overlay"\ngraphroot = "{0}/graph"\nrunroot = "{0}/run"\n'
_ENGINE = """[containers]
default_ulimits = ["nofile=1024:1024", "nproc=1024:1024"]
netns = "host"
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
events_logger = "file"
"""


@dataclass(frozen=True)
class Done:
    """How a command ended."""

    code: int
    out: str
    err: str


class Builder:
    """Where images are kept, and the commands that make and run them."""

    def __init__(self) -> None:
        self.home = CACHE / "container"
        self.home.mkdir(parents=True, exist_ok=True)
        (self.home / "storage.conf").write_text(_STORAGE.format(self.home))
        (self.home / "containers.conf").write_text(_ENGINE)
        (self.home / "pip.conf").write_text(f"[global]\ncert = {_CERTIFICATES}\n")
        self._environment = os.environ | {
            "CONTAINERS_STORAGE_CONF": str(self.home / "storage.conf"),
            "CONTAINERS_CONF": str(self.home / "containers.conf"),
        }

    def call(self, *argv: str | Path, cwd: Path = ROOT, timeout_s: float = 1200) -> Done:
        """Any command with our storage."""
        done = subprocess.run(
            argv,
            cwd=cwd,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)

    def run(self, *arguments: str | Path, program: str = "", options: Iterable[str] = ()) -> Done:
        """Run the image once, without a network."""
        entry = ("--entrypoint", program) if program else ()
        return self.call(
            *("podman", "run", "--rm", "--network", "none", *entry, *options, IMAGE, *arguments)
        )

    def build(self, context: Path, target: str = "slim", tag: str = IMAGE) -> None:
        """The image from ``context``; raises AssertionError with the log's end.

        Of the workers of a run one builds while the others wait: they find its layers.
        """
        with (self.home / "lock").open("w") as turn:
            fcntl.flock(turn, fcntl.LOCK_EX)
            self._built(context, target, tag)

    def _built(self, context: Path, target: str, tag: str) -> None:
        self._base()
        done = self.call(
            *("buildah", "bud", "--isolation", "chroot", "--pull-never", "--layers"),
            *("--target", target, "--tag", tag),
            *("--volume", f"{_CERTIFICATES}:{_CERTIFICATES}:ro"),
            *("--volume", f"{self.home / 'pip.conf'}:/etc/pip.conf:ro"),
            *("--build-arg", f"PYTHON={_BASE}", "--build-arg", "ADVISORIES=advisories"),
            *("--build-arg", "VERSION=9.9.9", "."),
            cwd=context,
        )
        assert done.code == 0, f"{done.out[-3000:]}\n{done.err[-3000:]}"

    def _base(self) -> None:
        if self.call("podman", "image", "exists", _BASE).code == 0:
            return
        tree = self.home / "trixie"
        shutil.rmtree(tree, ignore_errors=True)
        packages = "--include=python3,python3-venv,python3-pip,ca-certificates"
        done = self.call("debootstrap", "--variant=minbase", packages, "trixie", tree)
        if done.code != 0:
            pytest.skip(f"NOT BUILT: debootstrap failed: {done.out[-500:]}")
        for marker in tree.glob("usr/lib/python3*/EXTERNALLY-MANAGED"):
            marker.unlink()
        (tree / "usr" / "bin" / "python").symlink_to("python3")
        without = "--exclude='./var/cache/apt/*' --exclude='./var/lib/apt/lists/*'"
        script = f"tar --create {without} . | podman import - {_BASE}"
        done = self.call("sh", "-c", script, cwd=tree)
        if done.code != 0:
            pytest.skip(f"NOT BUILT: no image can be kept here: {done.err[-500:]}")
        shutil.rmtree(tree)


def builder() -> Builder:
    """Skips the test, and says why, where no image can be built."""
    if not os.environ.get(WANTED):
        pytest.skip(f"NOT BUILT: the image takes minutes; {WANTED}=1 builds and runs it")
    missing = [tool for tool in _TOOLS if shutil.which(tool) is None]
    if os.geteuid() != 0 or missing:
        wanted = f"root and {', '.join(_TOOLS)}; missing: {', '.join(missing) or 'root'}"
        pytest.skip(f"NOT BUILT: it needs {wanted}")
    found = Builder()
    probe = found.call("unshare", "--mount", "true")
    if probe.code != 0:
        pytest.skip(f"NOT BUILT: this machine allows no mounts: {probe.err.strip()}")
    return found

"""Projects that others wrote, as pip, npm and apt bring them."""

import hashlib
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

ARCHIVES = (".whl", ".tgz", ".deb", ".tar.gz", ".tar.xz", ".tar.bz2")
_DEBIAN_PATCHES = (".debian.tar.xz", ".debian.tar.gz", ".debian.tar.bz2")


def archive_of(client: str, package: str, folder: Path) -> Path:
    """The archive of ``package`` (in the client's own words for name and version) in ``folder``.

    pip asks the build backend of a source distribution for its metadata, which runs code of the
    project; npm and apt run nothing of it.
    """
    folder.mkdir(parents=True)
    CLIENTS[client](package, folder)
    found = sorted(one for one in folder.iterdir() if one.name.endswith(ARCHIVES))
    # What is called as the package and version and no more is upstream's main archive.
    return min(
        (one for one in found if not one.name.endswith(_DEBIAN_PATCHES)),
        key=lambda one: len(one.name),
    )


def unpack(archive: Path, into: Path) -> None:
    into.mkdir(parents=True, exist_ok=True)
    if archive.suffix == ".whl":
        shutil.unpack_archive(archive, into, "zip")
        for record in into.glob("*.dist-info"):  # of an installed package, not of a repository
            shutil.rmtree(record)
        return
    if archive.suffix == ".deb":
        subprocess.run(["dpkg-deb", "--extract", str(archive), str(into)], check=True)
        return
    tar = ("tar", "-xf", str(archive), "--strip-components=1", "--no-same-owner")
    subprocess.run([*tar, "-C", str(into)], check=True)


def sha256(archive: Path) -> str:
    with archive.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _pip(*options: str) -> Callable[[str, Path], None]:
    command = (sys.executable, "-m", "pip", "download", "-q", "--no-deps", *options)

    def download(package: str, folder: Path) -> None:
        subprocess.run([*command, package], cwd=folder, check=True)

    return download


def _npm(package: str, folder: Path) -> None:
    command = ("npm", "pack", "--silent", package)
    subprocess.run(command, cwd=folder, check=True, stdout=sys.stderr)


def _apt(*command: str) -> Callable[[str, Path], None]:
    """A package's source or what was built of it, from the places where this machine finds both."""

    def download(package: str, folder: Path) -> None:
        state = folder.parent / ".apt"
        options = {
            "Dir::Etc::sourcelist": "/dev/null",
            "Dir::Etc::sourceparts": str(state),
            "Dir::State::lists": str(state / "lists"),
            "APT::Sandbox::User": "root",
        }
        apt = ("apt-get", "-qq", *(f"-o{name}={value}" for name, value in options.items()))
        if not state.exists():
            (state / "lists" / "partial").mkdir(parents=True)
            sources = Path("/etc/apt/sources.list.d/debian.sources").read_text()
            both = sources.replace("Types: deb", "Types: deb deb-src")
            (state / "both.sources").write_text(both)
            subprocess.run([*apt, "update"], check=True, stdout=sys.stderr)
        subprocess.run([*apt, *command, package], cwd=folder, check=False)

    return download


CLIENTS: dict[str, Callable[[str, Path], None]] = {
    "pip": _pip("--only-binary", ":all:"),
    "sdist": _pip("--no-binary", ":all:"),
    "npm": _npm,
    # Debian's own changes, which come in a second archive, are not needed.
    "apt": _apt("source", "--download-only"),
    "deb": _apt("download"),
}
"""How each kind of package is asked for; apt gives the version of this machine's Debian."""

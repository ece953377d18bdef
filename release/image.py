"""The images: built from nothing that was kept, weighed, and run as users run them."""

import shutil
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from release.package import run
from release.settings import NotReleased, Settings

TARGETS = ("slim", "full")
_SEALED = (
    *("run", "--rm", "--network", "none", "--read-only", "--tmpfs", "/tmp"),  # noqa: S108 - its own
    *("--cap-drop", "ALL", "--user", "10001"),
)


@dataclass(frozen=True, slots=True)
class Instead:
    """What a rehearsal builds from where registry or dumps are out of reach; a release never."""

    base: str = ""
    """An image that the engine has, in place of the one that the Dockerfile pins."""
    advisories: Path | None = None
    """A folder in place of OSV's dumps."""

    @property
    def said(self) -> str:
        """What differs from a release; empty where nothing does."""
        return ", ".join(str(one) for one in (self.base, self.advisories) if one)

    def arguments(self, root: Path) -> dict[str, str]:
        """For the Dockerfile in ``root``, which gets the advisories: a build sees nothing else."""
        given = {"PYTHON": self.base} if self.base else {}
        if self.advisories is None:
            return given
        shutil.copytree(self.advisories, root / "advisories", dirs_exist_ok=True)
        return given | {"ADVISORIES": "advisories"}


def engine() -> str | None:
    """What builds images here; None where nothing does."""
    for name in ("docker", "podman"):
        program = shutil.which(name)
        if program and _answers(program):
            return program
    return None


def _answers(program: str) -> bool:
    try:
        run(Path.cwd(), program, "info")
    except NotReleased:
        return False
    return True


def build(
    program: str,
    root: Path,
    target: str,
    version: str,
    settings: Settings,
    *,
    instead: Instead = Instead(),
) -> str:
    """Build and try one; returns its name. Raises NotReleased where it is too large or fails."""
    name = f"{settings.image}:{version}-{target}"
    given = {
        "VERSION": version,
        "REVISION": run(root, "git", "rev-parse", "HEAD").strip(),
        "CREATED": run(root, "git", "log", "-1", "--format=%cI").strip(),
        "SOURCE": settings.home,
        "ADVISORIES_DATE": f"{datetime.now(UTC):%Y-%m-%d}",
        **instead.arguments(root),
    }
    words = (word for key, one in given.items() for word in ("--build-arg", f"{key}={one}"))
    run(root, program, "build", "--no-cache", "--target", target, "--tag", name, *words, ".")
    size = int(run(root, program, "image", "inspect", "--format", "{{.Size}}", name))
    print(f"image {target}: {size // 1_000_000} MB")
    if target == "slim" and size >= settings.slim_bytes:
        raise NotReleased(f"{name} takes {size} bytes, {settings.slim_bytes} are allowed")
    run(root, program, "run", "--rm", "--network", "none", name, "advisories", "status")
    run(root, program, *_SEALED, "--volume", f"{root}:/work:ro", name, "scan", "/work")
    if target == "full":
        folders = {"docs": "/site", "container": "/proof"}
        lent = (
            word for one, at in folders.items() for word in ("--volume", f"{root / one}:{at}:ro")
        )
        run(root, program, *_SEALED, *lent, "--entrypoint", "sh", name, "-e", "/proof/site.sh")
    return name


def digest(program: str, root: Path, name: str) -> str:
    """Of what lies here, unpushed: a rehearsal's, for a registry may compress otherwise."""
    field = "{{.Digest}}" if Path(program).name == "podman" else "{{.Id}}"
    said = run(root, program, "image", "inspect", "--format", field, name).strip()
    return said.removeprefix("sha256:")

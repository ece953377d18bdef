"""A release from beginning to end in a clone, of which nothing leaves this machine."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from release import image, package, recipes, seal, version
from release.image import Instead
from release.package import run
from release.recipes import Release
from release.settings import ROOT, NotReleased, settings

_IDENTITY = (
    *("-c", "user.name=Rehearsal", "-c", "user.email=release@example.org"),
    *("-c", "commit.gpgSign=false", "-c", "tag.gpgSign=false", "-c", "core.hooksPath=/dev/null"),
)


def rehearse(wanted: str, out: Path, day: str, *, images: Instead | None, quick: bool) -> None:
    """Cut, build, pin, render, seal and try ``wanted``; what it makes lies in ``out``.

    ``images``: what they are built from; None builds none.
    ``quick``: the hook's environment borrows the packages of the wheel's instead of fetching them.
    Raises NotReleased at the first thing that is not as it should be.
    """
    if out.exists() and any(out.iterdir()) and not (out / seal.CHECKSUMS).is_file():
        raise NotReleased(f"{out} holds something else than a release")
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    with _whole(out), tempfile.TemporaryDirectory() as name:
        room = Path(name)
        source, environment = room / "source", room / "environment"
        run(ROOT, "git", "clone", "--quiet", str(ROOT), str(source))
        if changed := run(ROOT, "git", "status", "--porcelain").strip():
            print(f"not in it, for it is not committed:\n{changed}")
        built = _cut(source, wanted, day)
        package.lend(ROOT, source)
        wheel = package.package(source, out)
        told = package.install(wheel, source, environment)
        print(f"{wheel.name}, installed into an empty environment: version {told}")
        bill = out / f"mergegate-{wanted}.cdx.json"
        bill.write_text(package.bill(source, environment), encoding="utf-8")
        release = _pinned(source, wanted, _images(source, wanted, images))
        finish(source, out, release, built)
        _try(room, out, environment, release, quick)
    print(f"{out} holds the release {wanted}; nothing of it was published")


@contextmanager
def _whole(out: Path) -> Iterator[None]:
    """What was not finished goes again: the next attempt would take it for somebody else's."""
    try:
        yield
    finally:
        if not (out / seal.CHECKSUMS).is_file():
            shutil.rmtree(out)


def _cut(source: Path, wanted: str, day: str) -> str:
    """The commit that a person merges, and its tag."""
    if version.cut(source, wanted, day):
        _commit(source, f"release {wanted}")
    run(source, "git", *_IDENTITY, "tag", "--force", f"release/v{wanted}")
    version.agreed(source, f"release/v{wanted}", "HEAD")
    return run(source, "git", "rev-parse", "HEAD").strip()


def _images(source: Path, wanted: str, instead: Instead | None) -> dict[str, str]:
    """Target → digest."""
    program = image.engine() if instead else None
    if instead is None or program is None:
        print(f"images: not built, {'nothing here builds any' if instead else 'as asked'}")
        return dict.fromkeys(image.TARGETS, recipes.UNBUILT)
    whose = settings(rehearsed=True)
    if said := instead.said:
        print(f"images: not as released, but from {said}")
    names = {
        one: image.build(program, source, one, wanted, whose, instead=instead)
        for one in image.TARGETS
    }
    return {target: image.digest(program, source, name) for target, name in names.items()}


def _pinned(source: Path, wanted: str, digests: dict[str, str]) -> Release:
    """The commit that users refer to, and its tag."""
    whose = settings(rehearsed=True)
    recipes.pin(source, f"{whose.image}@sha256:{digests['slim']}")
    _commit(source, f"release {wanted}: pin the signed image")
    run(source, "git", *_IDENTITY, "tag", f"v{wanted}")
    commit = run(source, "git", "rev-parse", "HEAD").strip()
    return Release(whose, wanted, commit, **digests)


def _commit(source: Path, message: str) -> None:
    run(source, "git", *_IDENTITY, "commit", "--quiet", "--all", "--message", message)


def finish(source: Path, out: Path, release: Release, built: str) -> None:
    """Recipes, page, checksums and provenance, beside the packages in ``out``."""
    texts = recipes.recipes(source, release)
    (out / "recipes").mkdir(exist_ok=True)
    for name, text in texts.items():
        (out / "recipes" / name).write_text(text, encoding="utf-8")
    moment = int(run(source, "git", "log", "-1", "--format=%ct", built))
    (out / "recipes.tar.gz").write_bytes(recipes.packed(texts, moment))
    notes = recipes.page(release, version.notes(source, release.version))
    (out / "notes.md").write_text(notes, encoding="utf-8")
    seal.seal(out, source, release, built)


def _try(room: Path, out: Path, environment: Path, release: Release, quick: bool) -> None:
    """What was made, as users paste it, against stand-ins of registry and forges."""
    run(room, "git", "clone", "--quiet", "--bare", "source", "forge.git")
    command = (
        *(sys.executable, "-m", "tests.release.smoke", str(out)),
        *("--forge", str(room / "forge.git"), "--environment", str(environment)),
        *("--slug", release.settings.slug, *(("--quick",) if quick else ())),
    )
    print(run(ROOT, *command), end="")

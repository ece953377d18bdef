"""The steps of a release: ``python -m release STEP``; docs/releasing.md tells who calls which."""

import argparse
import sys
from datetime import UTC, datetime
from pathlib import Path

from release import image, package, recipes, rehearsal, version
from release.recipes import Release
from release.settings import ROOT, NotReleased, settings


def _rehearse(said: argparse.Namespace) -> None:
    out = said.out or ROOT / "dist" / f"v{said.version}"
    today = f"{datetime.now(UTC):%Y-%m-%d}"
    instead = image.Instead(said.base, said.advisories)
    images = instead if said.images == "yes" else None
    rehearsal.rehearse(
        said.version, out.absolute(), today, images=images, quick=said.quick == "yes"
    )
    if said.dry_run == "no":
        settings(rehearsed=False)
        version.cut(ROOT, said.version, today)
        print(
            f"The version and CHANGELOG.md are cut here. Commit and merge them; then, on main:\n"
            f"  git tag -s release/v{said.version} && git push origin release/v{said.version}"
        )


def _check(said: argparse.Namespace) -> None:
    print(f"image={settings(rehearsed=False).image}")
    print(f"version={version.agreed(ROOT, said.tag)}")


def _package(said: argparse.Namespace) -> None:
    environment = said.environment.absolute()
    wheel = package.package(ROOT, said.out.absolute())
    told = package.install(wheel, ROOT, environment)
    said.bill.mkdir(exist_ok=True)
    bill = said.bill / f"mergegate-{told}.cdx.json"
    bill.write_text(package.bill(ROOT, environment), encoding="utf-8")


def _image(said: argparse.Namespace) -> None:
    program = image.engine()
    if program is None:
        raise NotReleased("nothing here builds images: it takes docker or podman")
    image.build(program, ROOT, said.target, version.stated(ROOT), settings(rehearsed=False))


def _pin(said: argparse.Namespace) -> None:
    recipes.pin(ROOT, said.image)


def _finish(said: argparse.Namespace) -> None:
    digests = {one: getattr(said, one).removeprefix("sha256:") for one in image.TARGETS}
    release = Release(settings(rehearsed=False), version.stated(ROOT), said.commit, **digests)
    rehearsal.finish(ROOT, said.out.absolute(), release, said.built)


def _arguments() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="release", description=__doc__)
    steps = parser.add_subparsers(required=True)

    def step(name: str, does: str, call: object) -> argparse.ArgumentParser:
        one = steps.add_parser(name, help=does, description=does)
        one.set_defaults(call=call)
        return one

    whole = step("rehearse", "all of it in a clone; nothing is published", _rehearse)
    whole.add_argument("version")
    whole.add_argument("--out", type=Path)
    for name, usual in (("images", "yes"), ("quick", "no"), ("dry-run", "yes")):
        whole.add_argument(f"--{name}", choices=("yes", "no"), default=usual)
    step("check", "tag, package, changelog and main agree", _check).add_argument("tag")
    whole.add_argument("--base", default="", help="an image in place of the Dockerfile's first")
    whole.add_argument("--advisories", type=Path, help="a folder in place of OSV's dumps")
    made = step("package", "wheel, source archive and bill of materials", _package)
    made.add_argument("out", type=Path)
    made.add_argument("bill", type=Path, help="the bill's folder: an index takes packages alone")
    made.add_argument("environment", type=Path, help="where the wheel is installed")
    built = step("image", "build an image and try it", _image)
    built.add_argument("target", choices=image.TARGETS)
    step("pin", "pin actions and component in this work tree", _pin).add_argument("image")
    last = step("finish", "recipes, page, checksums and provenance", _finish)
    last.add_argument("out", type=Path)
    for name in ("commit", "built", *image.TARGETS):
        last.add_argument(f"--{name}", required=True)
    return parser


if __name__ == "__main__":
    chosen = _arguments().parse_args()
    try:
        chosen.call(chosen)
    except NotReleased as stopped:
        sys.exit(f"release: {stopped}")

"""What users paste, with owner, commit, version and digest filled in; and the actions, pinned."""

import gzip
import io
import re
import tarfile
from dataclasses import dataclass
from pathlib import Path

from release.settings import NotReleased, Settings

ACTIONS = ("action.yml", "publish/action.yml")
COMPONENT = "templates/mergegate/template.yml"
UNBUILT = "0" * 64
"""Where no image was built: a digest that no registry has."""
_FOLDER = "docs/ci"
_PINNED = re.compile(r"[a-z0-9./_-]+@sha256:[0-9a-f]{64}")
_NOTE = re.compile(r"^ *# A release pins.*\n", re.MULTILINE)
_BUILT = re.compile(r"^  image: .*Dockerfile.*$", re.MULTILINE)
_DEFAULT = re.compile(r"^( *)# A release adds its signed image.*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Release:
    """What only a release knows."""

    settings: Settings
    version: str
    commit: str
    """The one that ``vX.Y.Z`` names."""
    slim: str
    """Digest of the image, without ``sha256:``; ``full`` alike."""
    full: str

    @property
    def words(self) -> dict[str, str]:
        """What stands in capitals in the recipes."""
        return {
            "OWNER": self.settings.owner,
            "COMMIT": self.commit,
            "VERSION": f"v{self.version}",
            "DIGEST": self.slim,
            "FULL_DIGEST": self.full,
        }


def filled(text: str, words: dict[str, str]) -> str:
    """``text`` with the words in capitals filled in."""
    return re.sub(rf"\b(?:{'|'.join(words)})\b", lambda word: words[word[0]], text)


def pin(root: Path, image: str) -> None:
    """Rewrite what users refer to, in ``root``: the actions, and the default of the component.

    Raises NotReleased where ``image`` names no digest, or a file has no place for it.
    """
    if not _PINNED.fullmatch(image):
        raise NotReleased(f"not pinned by digest: {image}")
    for name in ACTIONS:
        _replace(root / name, _BUILT, f"  image: docker://{image}")
    _replace(root / COMPONENT, _DEFAULT, rf"\1default: {image}")


def _replace(file: Path, line: re.Pattern[str], by: str) -> None:
    text, places = line.subn(by, _NOTE.sub("", file.read_text(encoding="utf-8")))
    if places != 1:
        raise NotReleased(f"{file.name} has {places} places for the image")
    file.write_text(text, encoding="utf-8")


def recipes(root: Path, release: Release) -> dict[str, str]:
    """Name → text, ready to paste; not the page that tells what the words mean."""
    folder = root / _FOLDER
    return {
        file.name: filled(file.read_text(encoding="utf-8"), release.words)
        for file in sorted(folder.iterdir())
        if file.suffix != ".md"
    }


def packed(texts: dict[str, str], moment: int) -> bytes:
    """An archive of ``texts``: the same bytes for the same texts and the same ``moment``."""
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w") as archive:
        for name, text in texts.items():
            entry = tarfile.TarInfo(f"recipes/{name}")
            raw = text.encode()
            entry.size, entry.mtime = len(raw), moment
            archive.addfile(entry, io.BytesIO(raw))
    return gzip.compress(held.getvalue(), mtime=0)


def page(release: Release, changes: str) -> str:
    """The release's page: what changed, and the lines to copy."""
    said, image = release.words, release.settings.image
    return (
        f"{changes}\n### Paste it\n\n```yaml\n"
        f"- uses: {release.settings.slug}@{release.commit} # {said['VERSION']}\n```\n\n"
        "`recipes.tar.gz` has every recipe with its words filled in.\n\n"
        f"`slim`: `{image}@sha256:{release.slim}`\n`full`: `{image}@sha256:{release.full}`\n"
    )

"""A hundred secrets, and a repository that holds them where secrets are found, or nobody looks."""

import base64
import subprocess
import textwrap
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import Any

from mergegate.sandbox.git.names import is_branch
from mergegate.secrets.prefilter import TOKENS
from tests.canaries.leaks import GRAM, Needles
from tests.sandbox.git.test_repository import commit, git
from tests.secrets.mint import minted, pieces

SEED = 17
_LONGEST_NAME = 200
_HEAD = 6
"""Characters of the first piece of a value in pieces."""
_WORD, _RANDOM, _KEY = "<lower:16>", "<alnum:40>", "<alnum:640>"
_WEAK = "from flask import request\nimport os\n\ndef f():\n    os.system(request.args['x'])\n"
_TEMPLATES = {token.id: token.shape.hit for token in reversed(TOKENS)}


@dataclass(frozen=True)
class Canary:
    """One secret."""

    name: str
    kind: str
    """``shapes``, ``ruled`` or ``environment``."""
    value: str
    parts: tuple[str, ...]
    """What of the value is secret; the rest, and the number of an account, every reader knows."""

    @classmethod
    def drawn(cls, name: str, kind: str, template: str) -> "Canary":
        seed = f"{name} {SEED}"
        own = (text for text, is_drawn in pieces(template, seed) if is_drawn)
        parts = (text.rpartition(".")[2] for text in own)
        long = tuple(part for part in parts if len(part) >= GRAM and not part.isdigit())
        assert long
        return cls(name, kind, minted(template, seed), long)

    @property
    def said(self) -> str:
        """The value, with a name before it unless its shape tells what it is."""
        return (
            self.value
            if self.kind == "shapes" and self.name in _TEMPLATES
            else f"db_password={self.value}"
        )

    @property
    def fits_a_name(self) -> bool:
        return (
            self.kind != "environment" and "/" not in self.value and len(self.said) <= _LONGEST_NAME
        )


@cache
def table() -> Mapping[str, Any]:
    return tomllib.loads(Path(__file__).with_name("canaries.toml").read_text("utf-8"))


@cache
def flock() -> tuple[Canary, ...]:
    """All hundred: forty shapes, thirty that only a rule calls secret, thirty of environments."""
    said = table()
    special = {"key.py": _KEY}
    return (
        *(Canary.drawn(one, "shapes", _TEMPLATES[one]) for one in said["shapes"].split()),
        *(Canary.drawn(one, "shapes", special.get(one, _RANDOM)) for one in said["shaped"]),
        *(Canary.drawn(one, "ruled", _WORD) for one in said["ruled"]),
        *(
            Canary.drawn(one, "environment", _RANDOM)
            for names in said["environment"].values()
            for one in names.split()
        ),
    )


@cache
def needles() -> Needles:
    return Needles({f"{one.kind} {one.name}": one.parts for one in flock()})


def of_kind(kind: str) -> tuple[Canary, ...]:
    return tuple(one for one in flock() if one.kind == kind)


def environment(where: str) -> dict[str, str]:
    """The variables of a job that hold a secret."""
    values = {one.name: one.value for one in of_kind("environment")}
    return {name: values[name] for name in table()["environment"][where].split()}


def contents() -> Iterator[tuple[str, str]]:
    """Path and text of every file that holds one, each beside a flaw of another rule."""
    said = table()
    carriers = cycle(said["carriers"])
    for one in of_kind("shapes"):
        if one.name in said["shaped"]:
            yield f"shaped/{one.name}", _filled(said["shaped"][one.name], one)
        else:
            suffix, _, text = next(carriers).partition("|")
            yield f"shapes/{one.name}.{suffix}", _filled(text, one)
    for one in of_kind("ruled"):
        place = one.name if one.name.startswith(".git") else f"ruled/{one.name}"
        yield place, _filled(said["ruled"][one.name], one)
    shaped = cycle(one for one in of_kind("shapes") if one.name in _TEMPLATES and one.fits_a_name)
    for name, text in said["elsewhere"].items():
        yield (name if name.startswith(".git") else f"else/{name}"), _filled(text, next(shaped))


def _filled(text: str, one: Canary) -> str:
    value = "\n".join(textwrap.wrap(one.value, 64)) if one.name == "key.py" else one.value
    assert "{value" in text
    spelled = {
        "{value64}": base64.b64encode(one.value.encode()).decode(),
        "{valuehex}": one.value.encode().hex(),
        "{valueescaped}": "".join(f"\\x{byte:02x}" for byte in one.value.encode()),
        "{value<}": value[:_HEAD],
        "{value>}": value[_HEAD:],
        "{value}": value,
    }
    for name, said in spelled.items():
        text = text.replace(name, said)
    return text


def names() -> Iterator[str]:
    """Paths with a secret in them."""
    for number, one in enumerate(flock()):
        if one.fits_a_name:
            yield (f"named/{one.said}.py", f"named/{one.said}/a.py")[number % 2]


def messages() -> Iterator[str]:
    for one in flock():
        yield f"use {one.said}\n\nas {one.name} asks for"


def branch() -> str:
    """The name of a branch with as many secrets as fit into one."""
    name = "topic"
    for one in flock():
        longer = f"{name}/{one.said}"
        if len(one.value) < 60 and len(longer) < 400 and is_branch(longer):
            name = longer
    return name


def planted(root: Path) -> str:
    """A repository at ``root`` whose branch :func:`branch` holds them all; its base is ``main``."""
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    everything = dict(contents())
    written = list(everything)
    _write(root, {name: everything[name] for name in written[::3]})
    _write(root, dict.fromkeys(list(names())[::3], _WEAK))
    commit(root, "base")
    git(root, "switch", "-q", "-c", branch())
    _write(root, everything)
    _write(root, dict.fromkeys(names(), _WEAK))
    commit(root, "all")
    _tell(root, messages())
    gone = {f"gone/{name.replace('/', '-')}": text for name, text in everything.items()}
    _write(root, gone)
    commit(root, "come")
    for name in gone:
        (root / name).unlink()
    for one in flock():
        if one.fits_a_name:
            link = root / "links" / one.said
            link.parent.mkdir(exist_ok=True)
            link.symlink_to(f"../{one.said}")
    moved = next(iter(names()))
    (root / "moved").mkdir()
    (root / moved).rename(root / "moved" / f"old-{Path(moved).name}")
    return commit(root, "gone")


def _tell(root: Path, told: Iterable[str]) -> None:
    """A commit for each message, with a file of its own; Git would take a process a step."""
    here = git(root, "symbolic-ref", "HEAD").encode()
    stream = b"".join(
        b"commit %b\ncommitter Ada <ada@example.org> now\n%b%bM 100644 inline count/%d.txt\n%b"
        % (
            here,
            _data(message),
            b"" if number else b"from %b^0\n" % here,
            number,
            _data(str(number)),
        )
        for number, message in enumerate(told)
    )
    fast = ["git", "fast-import", "--quiet", "--date-format=now"]
    subprocess.run(fast, cwd=root, input=stream, check=True)
    git(root, "reset", "-q", "--hard")


def _data(text: str) -> bytes:
    written = f"{text}\n".encode()
    return b"data %d\n%b" % (len(written), written)


def _write(root: Path, texts: Mapping[str, str]) -> None:
    for name, text in texts.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, "utf-8")

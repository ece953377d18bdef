"""Every form of ``forms.toml``: a secret is found where it stands, and nothing else is."""

import base64
import random
import re
import tomllib
from pathlib import Path, PurePosixPath

import pytest

from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo.checks.secrets import secrets
from mergegate.secrets.fact import weighed
from mergegate.secrets.found import Secrets, SecretsFile
from mergegate.secrets.scan import scan
from tests.secrets.mint import minted

_FORMS = tomllib.loads(Path(__file__).with_name("forms.toml").read_text("utf-8"))
_MARK = re.compile("«(?P<kind>[A-Z])(?P<count>[0-9]*)»")
_WORDS = ("violet", "tractor", "lemon", "anchor", "pebble", "walnut", "kettle", "saddle")


def _value(kind: str, count: int, seed: str) -> str:
    match kind:
        case "B":
            return base64.b64encode(random.Random(seed).randbytes(count or 32)).decode()
        case "W":
            return " ".join(random.Random(seed).sample(_WORDS, count or 5))
    templates = {
        "P": "<letters:3><digits:1>!<upper:1><lower:2><digits:2><lower:1>",
        "T": f"<alnum:{count or 40}>",
        "H": f"<hex:{count or 64}>",
        "K": "<alnum:38>/<digits:1>",
    }
    return minted(templates[kind], seed)


def _filled(form: str, seed: str) -> tuple[str, set[str]]:
    """The form with values in place of its marks, and the values; one mark has one value."""
    values: dict[str, str] = {}

    def value(mark: re.Match[str]) -> str:
        count = int(mark["count"] or 0)
        return values.setdefault(mark[0], _value(mark["kind"], count, f"{seed} {mark[0]}"))

    return _MARK.sub(value, form), set(values.values())


def _found(path: str, text: str) -> set[str]:
    """What the places hold of which more is told than that they are there."""
    found = weighed(path, scan(text.encode(), PurePosixPath(path).suffix.lower()))
    told = secrets(Secrets((SecretsFile(path, Role.SOURCE, found),)))
    lines = text.split("\n")
    return {
        lines[one.place.start_line - 1][one.place.start_column - 1 : one.place.end_column - 1]
        for one in told
        if one.severity > Severity.INFO
    }


def _cases(kind: str) -> list[object]:
    return [
        pytest.param(one["path"], form, id=f"{name}-{number}")
        for name, one in _FORMS.items()
        for number, form in enumerate(one[kind])
    ]


@pytest.mark.parametrize(("path", "form"), _cases("told"))
def test_the_secret_is_told_where_it_stands(path: str, form: str) -> None:
    text, values = _filled(form, path)
    found = _found(path, text)
    assert any(value in one for value in values for one in found)


@pytest.mark.parametrize(("path", "form"), _cases("silent"))
def test_nothing_is_told(path: str, form: str) -> None:
    text, _ = _filled(form, path)
    assert _found(path, text) == set()

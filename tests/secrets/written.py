"""Files with minted values in place of marks, and what is told of them."""

import base64
import random
import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from mergegate.core.severity import Severity
from mergegate.core.tree import Role
from mergegate.repo.checks.secrets import secrets
from mergegate.secrets.fact import weighed
from mergegate.secrets.found import Secrets, SecretsFile
from mergegate.secrets.scan import scan
from tests.secrets.mint import minted

_MARK = re.compile("«(?P<kind>[A-Z])(?P<count>[0-9]*)»")
_WORDS = ("violet", "tractor", "lemon", "anchor", "pebble", "walnut", "kettle", "saddle")


def _value(kind: str, count: int, seed: str) -> str:
    match kind:
        case "B":
            return base64.b64encode(random.Random(seed).randbytes(count or 32)).decode()
        case "W":
            return " ".join(random.Random(seed).sample(_WORDS, count or 5))
    templates = {
        "C": f"<upper:{count or 20}>",
        "H": f"<hex:{count or 64}>",
        "K": "<alnum:38>/<digits:1>",
        "L": "<lower:4>",
        "P": "<letters:3><digits:1>!<upper:1><lower:2><digits:2><lower:1>",
        "T": f"<alnum:{count or 40}>",
        "U": "<uuid>",
        "X": f"<HEX:{count or 64}>",
        "Z": f"<base36:{count or 40}>",
    }
    return minted(templates[kind], seed)


def filled(form: str, seed: str) -> tuple[str, Mapping[str, str]]:
    """The form with values in place of its marks, and each mark's value."""
    values: dict[str, str] = {}

    def value(mark: re.Match[str]) -> str:
        count = int(mark["count"] or 0)
        return values.setdefault(mark[0], _value(mark["kind"], count, f"{seed} {mark[0]}"))

    return _MARK.sub(value, form), values


def told(path: str, text: str) -> set[str]:
    """What the places hold of which more is told than that they are there."""
    found = weighed(path, scan(text.encode(), PurePosixPath(path).suffix.lower()))
    findings = secrets(Secrets((SecretsFile(path, Role.SOURCE, found),)))
    lines = text.split("\n")
    return {
        lines[one.place.start_line - 1][one.place.start_column - 1 : one.place.end_column - 1]
        for one in findings
        if one.severity > Severity.INFO
    }

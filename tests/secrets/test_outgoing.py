"""What of a text leaves this machine."""

import pytest

from mergegate.secrets.outgoing import outgoing
from tests.canaries import flock
from tests.secrets.mint import minted

WORD = minted("<lower:16>")
HIDDEN = {
    "a pair": f"env: [{{name: API_TOKEN, value: {WORD}}}]",
    "a pair over lines": f"- name: DB_PASSWORD\n  value: {WORD}",
    "a pair in XML": f'<add key="DbPassword" value="{WORD}"/>',
    "a pair in JSON": f'{{"name": "SECRET_KEY", "value": "{WORD}"}}',
    "Docker's old form": f"FROM alpine\nENV ADMIN_PASSWORD {WORD}\n",
    "a name": f'password = "{WORD}"',
    "a token": f"x({minted('sk_test_<alnum:24>')})",
    "a key over lines": "-----BEGIN RSA PRIVATE KEY-----\n"
    f"{minted('<alnum:64>')}\n{minted('<alnum:60>')}\n-----END RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("text", HIDDEN.values(), ids=HIDDEN)
def test_secrets_do_not_leave(text: str) -> None:
    shown = outgoing(text)
    assert "*" in shown and shown.count("\n") == text.count("\n")
    assert all(one not in shown for one in (WORD, minted("<alnum:64>"), minted("<alnum:60>")))


PLAIN = {
    "code": "def area(width, height):\n    return width * height\n",
    "a pair": "- name: REPLICAS\n  value: three\n",
    "settings": "ENV LANG C.UTF-8\nWORKDIR /srv/app\n",
    "letters beyond ASCII": "# Größe der Fläche: 𝔸\nsize = 3\n",
}


@pytest.mark.parametrize("text", PLAIN.values(), ids=PLAIN)
def test_code_without_secrets_leaves_as_it_is(text: str) -> None:
    assert outgoing(text) == text


def test_no_canary_leaves() -> None:
    left = {name: outgoing(text, f".{name.rpartition('.')[2]}") for name, text in flock.contents()}
    assert {name for name, text in left.items() if flock.needles().within(text.encode())} == set()

"""What is drawn for a secret comes from the system's generator."""

import pytest

from mergegate.repo.fixes import chance
from tests.repo.fixes.steps import mended


@pytest.mark.parametrize(
    ("head", "said", "expected"),
    [
        (
            "import random\n",
            "random.choice(a)",
            "import random\nimport secrets\nt = secrets.choice(a)\n",
        ),
        (
            "from random import randint\n",
            "randint(9)",
            "from random import randint\nimport secrets\nt = secrets.SystemRandom().randint(9)\n",
        ),
        ("import uuid\n", "uuid.uuid1()", "import uuid\nt = uuid.uuid4()\n"),
        ("import uuid\n", "uuid.uuid1(a)", None),
        ("import numpy.random as random\n", "random.choice(a)", None),
        ("import random\nsecrets = load()\n", "random.choice(a)", None),
    ],
)
def test_draws_of_python(head: str, said: str, expected: str | None) -> None:
    assert mended(chance.from_secrets, "python", f"{head}t = {said}\n", said) == expected


@pytest.mark.parametrize(
    ("said", "name", "expected"),
    [
        ("Math.random().toString(36).slice(2)", "randomUUID", "randomUUID()"),
        (
            "Math.random().toString(36).substring(2, 10)",
            "randomBytes",
            "randomBytes(4).toString('hex')",
        ),
        (
            "Math.random().toString(36).substr(2, 9)",
            "randomBytes",
            "randomBytes(5).toString('hex').slice(0, 9)",
        ),
        ("Math.floor(Math.random() * 10)", "randomInt", "randomInt(10)"),
        ("Math.floor(1000 + Math.random() * 9000)", "randomInt", "randomInt(1000, 10000)"),
        ("Math.floor(Math.random() * 9000 + 1000)", "randomInt", "randomInt(1000, 10000)"),
        ("a[Math.floor(Math.random() * a.length)]", "randomInt", "a[randomInt(a.length)]"),
        ("'a' + Math.random()", "", None),
        ("Math.round(Math.random() * 10)", "", None),
        ("Math.floor(Math.random() * (b - a))", "", None),
    ],
)
def test_draws_of_javascript(said: str, name: str, expected: str | None) -> None:
    head = "const a = require('a');\n"
    made = mended(chance.from_crypto, "javascript", f"{head}const t = {said};\n", said)
    wanted = f"{head}const {{ {name} }} = require('crypto');\nconst t = {expected};\n"
    assert made == (None if expected is None else wanted)


def test_a_module_that_is_there_is_used() -> None:
    text = "import crypto from 'crypto';\nconst t = Math.random().toString(36);\n"
    made = mended(chance.from_crypto, "javascript", text, "Math.random().toString(36)")
    assert made == "import crypto from 'crypto';\nconst t = crypto.randomUUID();\n"


@pytest.mark.parametrize(
    "said", ["import React from 'react';\n", "const a = require('a');\nwindow.b();\n"]
)
def test_what_runs_on_a_page_is_left_alone(said: str) -> None:
    text = f"{said}const t = Math.random().toString(36);\n"
    assert mended(chance.from_crypto, "javascript", text, "Math.random().toString(36)") is None

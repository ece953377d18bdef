"""Statements that check, tell or prepare stand where they do so, or nothing changes."""

import pytest

from mergegate.repo.fixes import guards
from mergegate.repo.fixes.recipe import Steps
from tests.repo.fixes.steps import mended


@pytest.mark.parametrize(
    ("by", "text", "marked", "expected"),
    [
        (
            guards.raised,
            "def f(u):\n    assert u.is_staff, u\n",
            "assert u.is_staff, u",
            "def f(u):\n    if not u.is_staff:\n        raise PermissionError(u)\n",
        ),
        (guards.raised, "def f(u):\n    assert u.a or u.b\n", "assert u.a or u.b", None),
        (guards.raised, "def f(u): assert u.a\n", "assert u.a", None),
        (
            guards.raised,
            "from django.db import models\n\n\ndef f(u):\n    assert u.is_staff\n",
            "assert u.is_staff",
            (
                "from django.db import models\n"
                "from django.core.exceptions import PermissionDenied\n\n\n"
                "def f(u):\n    if not u.is_staff:\n        raise PermissionDenied\n"
            ),
        ),
        (
            guards.logged,
            (
                "import logging\n\n\ndef f():\n    try:\n        g()\n    except E:\n"
                '        return f"no: {traceback.format_exc()}"\n'
            ),
            'f"no: {traceback.format_exc()}"',
            (
                "import logging\n\n\ndef f():\n    try:\n        g()\n    except E:\n"
                '        logging.exception("request failed")\n'
                '        return f"no: internal error"\n'
            ),
        ),
        (
            guards.logged,
            "def f():\n    return traceback.format_exc()\n",
            "traceback.format_exc()",
            None,
        ),
        (
            guards.known_hosts,
            (
                "import paramiko\n\n\ndef f(c):\n    c.load_host_keys(a)\n"
                "    c.set_missing_host_key_policy(paramiko.AutoAddPolicy())\n"
            ),
            "c.set_missing_host_key_policy(paramiko.AutoAddPolicy())",
            (
                "import paramiko\n\n\ndef f(c):\n    c.load_host_keys(a)\n"
                "    c.set_missing_host_key_policy(paramiko.RejectPolicy())\n"
            ),
        ),
    ],
)
def test_guards_of_python(by: Steps, text: str, marked: str, expected: str | None) -> None:
    assert mended(by, "python", text, marked) == expected


@pytest.mark.parametrize(
    ("by", "text", "marked", "expected"),
    [
        (
            guards.logged_in_javascript,
            "f((e) => {\n  res.json({ stack: e.stack, m: 1 });\n});\n",
            "res.json({ stack: e.stack, m: 1 })",
            "f((e) => {\n  console.error(e);\n  res.json({ m: 1 });\n});\n",
        ),
        (
            guards.logged_in_javascript,
            "f((e) => {\n  console.error(e);\n  res.send(e.stack);\n});\n",
            "res.send(e.stack)",
            "f((e) => {\n  console.error(e);\n  res.send('Internal Server Error');\n});\n",
        ),
        (guards.logged_in_javascript, "f((e) => res.send(e.stack));\n", "res.send(e.stack)", None),
        (
            guards.logged_in_javascript,
            "f((e) => {\n  if (a) return res.send(e.stack);\n});\n",
            "res.send(e.stack)",
            (
                "f((e) => {\n  if (a) { console.error(e); "
                "return res.send('Internal Server Error'); }\n});\n"
            ),
        ),
        (
            guards.unnamed,
            "export const app = express();\napp.use(a);\n",
            "const app = express()",
            "export const app = express();\napp.disable('x-powered-by');\napp.use(a);\n",
        ),
        (guards.unnamed, "const app = express(), a = 1;\n", "app = express()", None),
        (
            guards.own_keys,
            "function merge(a, b) {\n  for (const k in b) {\n    a[k] = b[k];\n  }\n}\n",
            "merge",
            (
                "function merge(a, b) {\n  for (const k in b) {\n    if (k === '__proto__' || "
                "k === 'constructor' || k === 'prototype') continue;\n    a[k] = b[k];\n  }\n}\n"
            ),
        ),
        (
            guards.own_keys,
            "function merge(a, b) {\n  for (const k in b) a[k] = b[k];\n}\n",
            "merge",
            None,
        ),
        (
            guards.for_the_web,
            "shell.openExternal(a);\n",
            "a",
            "if (/^(?:https?|mailto):/i.test(a)) shell.openExternal(a);\n",
        ),
        (guards.for_the_web, "return_(shell.openExternal(a));\n", "a", None),
    ],
)
def test_guards_of_javascript(by: Steps, text: str, marked: str, expected: str | None) -> None:
    assert mended(by, "javascript", text, marked) == expected

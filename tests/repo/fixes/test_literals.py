"""Literals change by what they say, or not at all."""

import pytest

from mergegate.repo.fixes import forms, literals
from mergegate.repo.fixes.recipe import Steps
from tests.repo.fixes.steps import mended


@pytest.mark.parametrize(
    ("by", "language", "said", "expected"),
    [
        (literals.modes, "python", "chmod(a, 0o777)", "chmod(a, 0o755)"),
        (literals.modes, "python", "chmod(a, 0o666)", "chmod(a, 0o644)"),
        (literals.modes, "python", "chmod(a, 0o1777)", "chmod(a, 0o1755)"),
        (literals.modes, "python", "chmod(a, 511)", None),
        (literals.modes, "javascript", "f(a, { mode: '0777' })", "f(a, { mode: '0755' })"),
        (literals.without_none, "python", 'f(a, ["none", "A"])', 'f(a, ["A"])'),
        (literals.without_none, "python", 'f(a, ["none"])', None),
        (literals.without_none, "javascript", "f({ a: ['A', 'none'] })", "f({ a: ['A'] })"),
        (literals.hidden, "python", 'log("a %s", u.password)', 'log("a %s", "***")'),
        (literals.hidden, "python", 'log(f"a {password}")', 'log("a ***")'),
        (literals.hidden, "python", 'log(f"a {b} {password}")', 'log(f"a {b} ***")'),
        (literals.hidden, "python", 'log("a", len(password))', None),
        (literals.hidden, "javascript", "log(`a ${u.apiKey}`)", "log(`a ***`)"),
        (
            literals.from_environment,
            "javascript",
            "jwt.sign(a, 'b')",
            "jwt.sign(a, process.env.JWT_SECRET)",
        ),
        (
            literals.from_environment,
            "typescript",
            "session({ secret: 'b' })",
            "session({ secret: process.env.SESSION_SECRET as string })",
        ),
        (literals.from_environment, "javascript", "jwt.sign('b', 'b')", None),
        (literals.from_environment, "javascript", "cookieSession({ keys: ['a', 'b'] })", None),
        (
            literals.host_keys_checked,
            "python",
            'run(["ssh", "-oStrictHostKeyChecking=no"])',
            'run(["ssh", "-oStrictHostKeyChecking=accept-new"])',
        ),
        (
            literals.host_keys_checked,
            "python",
            'run("ssh -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null")',
            None,
        ),
        (forms.copied, "javascript", "new Buffer(text)", "Buffer.from(text)"),
        (forms.copied, "javascript", "new Buffer(size)", None),
        (forms.copied, "javascript", "new Buffer(4 * a)", None),
        (forms.without_last_flag, "javascript", "b.readInt8(4, true)", "b.readInt8(4)"),
        (forms.default_headers, "javascript", "helmet({ hsts: false })", "helmet({ hsts: true })"),
        (forms.default_headers, "javascript", "helmet({ contentSecurityPolicy: false })", None),
        (
            forms.least_version,
            "javascript",
            "f({ secureProtocol: 'TLSv1_method' })",
            "f({ minVersion: 'TLSv1.2' })",
        ),
        (forms.one_proxy, "javascript", "app.enable('trust proxy')", "app.set('trust proxy', 1)"),
        (
            forms.called_later,
            "javascript",
            "setTimeout('a(' + b + ')', 1)",
            "setTimeout(() => a(b), 1)",
        ),
        (
            forms.called_later,
            "javascript",
            "setTimeout(`a('${b}')`, 1)",
            "setTimeout(() => a(String(b)), 1)",
        ),
        (forms.called_later, "javascript", "setTimeout('a(' + b + '); c()', 1)", None),
        (forms.parsed, "javascript", "eval('(' + a + ')')", "JSON.parse(a)"),
        (forms.parsed, "javascript", "eval(a)", None),
        (
            forms.own_path,
            "javascript",
            "req.query.next",
            r"/^\/(?![/\\\s])/.test(req.query.next) ? req.query.next : '/'",
        ),
        (forms.own_path, "javascript", "next", None),
    ],
)
def test_what_literals_say(by: Steps, language: str, said: str, expected: str | None) -> None:
    made = mended(by, language, f"{said}\n", said)
    assert made == (None if expected is None else f"{expected}\n")


def test_signatures_are_compared_as_digests() -> None:
    head = "const c = require('crypto');\n"
    made = mended(literals.digests_compared, "javascript", f"{head}if (a !== b) d();\n", "a !== b")
    assert made == (
        f"{head}if (!c.timingSafeEqual(c.createHash('sha256').update(String(a)).digest(), "
        "c.createHash('sha256').update(String(b)).digest())) d();\n"
    )
    made = mended(
        literals.digests_compared,
        "typescript",
        f"{head}a === process.env.B;\n",
        "a === process.env.B",
    )
    assert made is not None
    assert "update(process.env.B as string)" in made


def test_a_strong_hasher_comes_first_and_others_stay() -> None:
    text = 'H = [\n    "x.MD5PasswordHasher",\n]\n'
    made = mended(literals.strong_hasher_first, "python", text, text.strip())
    strong = '"django.contrib.auth.hashers.PBKDF2PasswordHasher"'
    assert made == f'H = [\n    {strong},\n    "x.MD5PasswordHasher",\n]\n'


def test_both_settings_of_a_context_change_together() -> None:
    text = (
        "import ssl\n\n\ndef f():\n    c = ssl.create_default_context()\n"
        "    c.check_hostname = False\n    c.verify_mode = ssl.CERT_NONE\n"
    )
    made = mended(forms.verified_context, "python", text, "c.check_hostname = False")
    assert made is not None
    assert made.endswith("c.check_hostname = True\n    c.verify_mode = ssl.CERT_REQUIRED\n")
    bare = text.replace("ssl.create_default_context()", "ssl.SSLContext()")
    assert mended(forms.verified_context, "python", bare, "c.check_hostname = False") is None


def test_a_temporary_name_is_a_file_where_it_is_opened() -> None:
    text = "import tempfile\n\n\ndef f():\n    n = tempfile.mktemp()\n    %s\n"
    opened = mended(forms.created_file, "python", text % "open(n, 'w')", "tempfile.mktemp()")
    assert opened is not None
    assert "n = tempfile.NamedTemporaryFile(delete=False).name\n" in opened
    assert mended(forms.created_file, "python", text % "os.mkdir(n)", "tempfile.mktemp()") is None


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("process.env.KEY", True),
        ("KEY", True),
        ("'key'", False),
        ("key", False),
        ("KEY);\nj.sign(a, B", False),
    ],
)
def test_a_token_is_verified_with_the_one_key_of_a_file(key: str, expected: bool) -> None:
    text = f"const j = require('jsonwebtoken');\nj.sign(a, {key});\nb = j.decode(c);\n"
    made = mended(forms.verified_with_key, "javascript", text, "c")
    assert made == (text.replace("j.decode(c)", f"j.verify(c, {key})") if expected else None)

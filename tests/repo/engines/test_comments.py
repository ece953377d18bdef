"""What a comment says of its reason, where it is one, and of which lines it speaks."""

import pytest

from mergegate.repo.engines.markers import find_markers
from mergegate.repo.facts.code import Marker


def marker(text: str, language: str | None = "python") -> Marker:
    found, _ = find_markers(text.encode(), language, ".x")
    return found[0]


@pytest.mark.parametrize(
    ("line", "language", "reason"),
    [
        ("run(x)  # nosec B602 - internal release script", "python", "internal release script"),
        ("run(x)  # nosec B602: hardcoded in CI", "python", "hardcoded in CI"),
        ("run(x)  # nosec B602,B603 trusted", "python", "trusted"),
        ("run(x)  # we control the calls # nosec", "python", "we control the calls"),
        ("run(x)  # noqa: S602 # We control x", "python", "We control x"),
        ("run(x)  # noqa: S602 — HITL-gated, see ADR-3", "python", "HITL-gated, see ADR-3"),
        ("f('a')  # type: ignore[no-any] # nosec B608: fixed names", "python", "fixed names"),
        ("f()  # noqa: S608  # nosec B608 - fixed names", "python", "fixed names"),
        ("f() // #nosec G204 -- fixed git command", "go", "fixed git command"),
        ("f() //nolint:gosec // G505: RFC 6238 wants SHA-1", "go", "G505: RFC 6238 wants SHA-1"),
        ("f() /* #nosec */", "go", ""),
        ("f() // NOSONAR the input is ours */", "java", "the input is ours"),
        ("f(); // eslint-disable-line no-eval -- User opted in", "javascript", "User opted in"),
        ("f(); // eslint-disable-line no-eval, no-alert", "javascript", ""),
        ("f() // nosemgrep: a.b.c — trusted input", "go", "trusted input"),
        ("on: x # zizmor: ignore[dangerous-triggers] builds nothing", "yaml", "builds nothing"),
        ("  #checkov:skip=CKV_AWS_20:Public on purpose", "terraform", "Public on purpose"),
        ("#trivy:ignore:AVD-AWS-0107 a bastion", "terraform", "a bastion"),
        ("#tfsec:ignore:aws-s3-x:exp:2024-01-01 a bastion", "terraform", ""),
        ("k = 'x'  # pragma: allowlist secret - of the demo", "python", "of the demo"),
        ("run(x)  # nosec 已验证", "python", "已验证"),
        ("run(x)  # nosec", "python", ""),
        ("run(x)  # nosec B602, B603", "python", ""),
        ("run(x)  # nosec assert_used", "python", ""),
        ("run(x)  # noqa: S602, E501", "python", ""),
        ("run(x)  # type: ignore # nosec # pylint: disable=bad-name", "python", ""),
        ("run(x)  # nosec -- ", "python", ""),
        ("run(x)  # nosec -- .,;:", "python", ""),
        ("run(x)  # nosec \u200b\u200c\u2060\u00ad", "python", ""),
        ("run(x)  # nosec \u3164\u3164\u3164 \u115f\u1160 \u2800\u2800\u2800", "python", ""),
        ("run(x)  # nosec \U000e0041\U000e0042\U000e0043", "python", ""),
        ("run(x)  # nosec a b", "python", ""),
        ("run(x)  # nosec see/bug_7.md", "python", ""),
        ("run('x # nosec B602 - in a text')", "python", ""),
        ('run(f"x // #nosec G204 -- in a text")', "go", ""),
        ("k = 'of the demo'  # nosec of the demo", "python", ""),
        ("run(x)  # nosec - \x1b[31mred\x1b[0m \u202eflow", "python", "[31mred[0m flow"),
        ("run(x)  # nosec B602 - written by CRLF\r", "python", "written by CRLF"),
    ],
)  # fmt: skip
def test_a_reason_is_what_a_comment_says_in_words_that_can_be_seen(
    line: str, language: str, reason: str
) -> None:
    found, _ = find_markers(f"{line}\nnext()\n".encode(), language, ".x")
    assert next((one.reason for one in found if one.reason), "") == reason


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ('q = """\nselect  # nosec B608 - fixed names\n"""\n', "python"),
        ("q = '''\nselect  # nosec B608 - fixed names\n'''\n", "python"),
        ("q = `\n// nosemgrep fixed names\n`\n", "javascript"),
        ("q := `\n// #nosec G201 -- fixed names\n`\n", "go"),
    ],
)
def test_text_of_several_lines_gives_no_reason(text: str, language: str) -> None:
    assert marker(text, language).reason == ""


def test_a_quote_in_a_comment_opens_no_string() -> None:
    text = "# don't\nf('a')  # it's \"safe\" # nosec B608 - don't mind\n"
    assert marker(text).reason == "don't mind"


@pytest.mark.parametrize(
    ("text", "language", "lines"),
    [
        ("f()  # nosec\ng()\n", "python", (0, 0)),
        ("# nosec\n# of the demo\n\ng()\nh()\n", "python", (1, 4)),
        ("/* nosemgrep\n   because */ g()\nh()\n", "javascript", (1, 2)),
        ("# nosec\n", "python", (0, 0)),
        ('a {\n  # checkov:skip=CKV_AWS_2:x\n  b = 1\n  c {\n  }\n}\nd {\n', "terraform", (1, 6)),
        ('# tfsec:ignore:aws-x\na {\n  b = 1\n}\nd {\n}\n', "terraform", (1, 4)),
        ("# hadolint ignore=DL3002\nUSER root\nRUN x\n", "dockerfile", (1, 2)),
    ],
)  # fmt: skip
def test_a_comment_speaks_of_its_line_or_the_next_or_its_block(
    text: str, language: str, lines: tuple[int, int]
) -> None:
    one = marker(text, language)
    assert (one.first, one.last) == lines


def test_half_a_megabyte_of_blanks_and_quotes_is_read_at_once() -> None:
    for filler in (" " * 500_000, "'\"`" * 100_000, "\n" * 500_000, "/*" * 200_000):
        found, _ = find_markers(f"{filler} # nosec\n".encode() * 2, "javascript", ".js")
        assert len(found) <= 4


def test_a_line_of_many_comments_is_looked_at_once_however_many_directives_are_above() -> None:
    line = "/*nosem*/" + " /**/" * 1990 + "\n"
    found, _ = find_markers(line.encode() * 420, "javascript", ".js")
    assert len(found) == 420

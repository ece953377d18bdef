"""Hostile text is shown, and does nothing (threats 19, 20, 22 to 25)."""

import re
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markupsafe import Markup

from mergegate.core.render import escape
from tests.repo.report.samples import HOSTILE

ANYTHING = st.text(st.characters(), max_size=60) | st.text(
    st.sampled_from("`*_[]()<>#!@/\\|~-+=:.$%&^1a \n\t\x1b\u202e"), max_size=40
)
MARKDOWN = MarkdownIt("commonmark", {"html": True}).enable("table")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain, naïve 日本語", "plain, naïve 日本語"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\u202eb", "a\\u202eb"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("tag\U000e0041", "tag\\U000e0041"),
        ("heart\ufe0f", "heart\\ufe0f"),
        ("half\ud800", "half\\ud800"),
        ("two\nlines\t", "two\\nlines\\t"),
        ("no\u00a0break", "no\\xa0break"),
        ("wide\u3000blank", "wide\u3000blank"),
        ("cafe\u0301", "cafe\u0301"),
        ("z" + "\u0301" * 4, "z" + "\\u0301" * 4),
        ("hangul\u3164", "hangul\\u3164"),
    ],
)
def test_only_what_cannot_be_seen_is_escaped(text: str, shown: str) -> None:
    assert escape.visible(text) == shown


@given(ANYTHING)
def test_visible_text_is_one_line_of_visible_characters(text: str) -> None:
    shown = escape.visible(text)
    kinds = {unicodedata.category(character) for character in shown if character not in " \u3000"}
    assert not kinds & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp", "Zs"}
    assert escape.visible(shown) == shown


@pytest.mark.parametrize("text", ["plain", "na\u00efve\u200b"])
def test_visible_text_does_not_count_as_escaped_whatever_it_was_before(text: str) -> None:
    assert type(escape.visible(Markup(text))) is str


@pytest.mark.parametrize("command", ["##[set-env name=A]b", "##vso[task]", "##teamcity[x]"])
def test_log_commands_are_broken_anywhere_in_a_line(command: str) -> None:
    assert escape.terminal(f"text {command}") == f"text #\\x23{command[2:]}"


@pytest.mark.parametrize(
    ("page", "safe"),
    [
        ("::error::x", ": :error::x"),
        ("  ::warning::x", " : :warning::x"),
        ("\t::debug::x", "\t: :debug::x"),
        ("a\n::add-mask::x", "a\n: :add-mask::x"),
        ("\x1b[1m::error::x", "\x1b[1m: :error::x"),
        ("std::string", "std::string"),
        ("> 7 | ::error::", "> 7 | ::error::"),
    ],
)
def test_no_line_of_a_log_starts_a_command(page: str, safe: str) -> None:
    assert escape.log(page) == safe


def inline(text: str) -> list[tuple[str, str]]:
    """What a reader gets: (token type, text) pairs of a paragraph."""
    tokens = MARKDOWN.parse(text)
    assert {token.type for token in tokens} <= {"paragraph_open", "inline", "paragraph_close"}
    children = [child for token in tokens for child in token.children or []]
    return [(child.type, child.content) for child in children]


@example("`0`$")
@example("`a`` `b`")
@example("`\\`$")
@given(ANYTHING)
def test_markdown_shows_the_text_and_nothing_else(text: str) -> None:
    pieces = inline(escape.markdown(text))
    assert {kind for kind, _ in pieces} <= {"text", "code_inline", "text_special"}
    shown = "".join(content for _, content in pieces)
    wanted = "".join(part for part, _ in escape.spans(text))
    assert re.sub(r"\s+", "", shown) == re.sub(r"\s+", "", wanted)


@pytest.mark.parametrize(
    "word",
    [
        "@acme/security", "a@example.org", "#1", "acme/shop#12", "GH-12", "!3", "$4", "%5", "~bug",
        "&6", "https://evil.example.org", "www.example.org", "4f0c2d9be1a8", ":tada:",
        "[c](javascript:alert(1))", "![x](https://evil.example.org/x.png)",
        "[vulnerability:7]", '~"good first issue"',
    ],
)  # fmt: skip
def test_words_that_a_forge_acts_on_become_code(word: str) -> None:
    first = word.split(" ", maxsplit=1)[0]
    assert ("code_inline", first) in inline(escape.markdown(f"closes {word}"))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("See https://example.org/.", "See `https://example.org/`."),
        ("(@acme), #1!", "(`@acme`), `#1`!"),
        ("“@acme” said", "“`@acme`” said"),
        ("https://example.org/a_(b)", "`https://example.org/a_(b)`"),
        ("[a](https://example.org)", "`[a](https://example.org)`"),
        ("at shop/db.py:42, line", "at `shop/db.py:42`, line"),
        ("`a`@b.", "`a` `@b`."),
        ("@b.`a`", "`@b`.`a`"),
        ("$.", "`$`."),
        ("#1: see", "`#1`: see"),
        (":tada:!", "`:tada:`!"),
    ],
)
def test_what_stands_around_a_word_is_no_part_of_its_code(text: str, shown: str) -> None:
    assert escape.markdown(text) == shown


@pytest.mark.parametrize(
    "text", ["Begin with /app.js (1006 ms).", "below 80. Then", "at 09:14 UTC", "a - b + c = d"]
)
def test_within_a_line_only_what_has_a_meaning_there_is_escaped(text: str) -> None:
    assert escape.markdown(text) == text


@pytest.mark.parametrize(
    "word", ["100%", "C#", "CWE-89", "snake_case", "a/b.py", "1.2.3", "what?", "std::move"]
)
def test_ordinary_words_stay_words(word: str) -> None:
    pieces = inline(escape.markdown(f"see {word} here"))
    assert {kind for kind, _ in pieces} <= {"text", "text_special"}


@pytest.mark.parametrize(
    "line", ["/approve", "# title", "- item", "+ item", "1. item", "=== x", "  /approve"]
)
def test_a_line_is_neither_a_command_nor_a_block(line: str) -> None:
    written = escape.markdown(line)
    assert not written.lstrip().startswith(("/", "# ", "- ", "+ ", "1. ", "="))
    assert inline(written)


def test_backticks_in_a_message_stay_code() -> None:
    assert inline(escape.markdown("use `json.loads` here"))[1] == ("code_inline", "json.loads")


@given(ANYTHING)
def test_a_code_span_holds_whatever_backticks(text: str) -> None:
    pieces = inline(f"x {escape.code(text)} y")
    assert [kind for kind, _ in pieces] == ["text", "code_inline", "text"]


def test_a_fence_is_longer_than_any_run_inside() -> None:
    block = MARKDOWN.parse(escape.fence(("```", "````` /approve", HOSTILE)))
    assert [token.type for token in block] == ["fence"]


@given(ANYTHING)
def test_a_table_cell_holds_one_cell(text: str) -> None:
    table = f"| a | b |\n|---|---|\n| {escape.code_cell(text)} | {escape.markdown(text)} |\n"
    cells = [token for token in MARKDOWN.parse(table) if token.type == "td_open"]
    assert len(cells) == 2


def test_the_clipboard_keeps_lines_and_tabs_alone() -> None:
    assert escape.copyable("a\n\tb\x1b[31m") == "a\n\tb\\x1b[31m"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain words", "plain words"),
        ("`<b>` & co", "<code>&lt;b&gt;</code> &amp; co"),
        ("by @dana, #1", "by <code>@dana</code>, <code>#1</code>"),
        ("</summary><script>", "&lt;/summary&gt;&lt;script&gt;"),
        ('a "quoted" \n word', "a &quot;quoted&quot; \\n word"),
        ("see https://example.org", "see <code>https://example.org</code>"),
    ],
)
def test_text_between_tags_is_inert(text: str, shown: str) -> None:
    assert escape.inline_html(text) == shown

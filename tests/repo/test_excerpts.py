"""What is shown of the lines that a finding points at."""

from dataclasses import replace

import pytest

from mergegate.core.finding import Finding
from mergegate.core.severity import Kind
from mergegate.core.tree import Tree
from mergegate.repo.excerpts import MOST_COLUMNS, MOST_LINES, excerpts
from tests.repo.conftest import MakeTree, finding
from tests.secrets.spelled import TOKEN


def snippets(tree: Tree, *findings: Finding) -> list[str]:
    return [excerpt.snippet for _, excerpt in excerpts(findings, tree)]


def test_excerpts_follow_the_order_of_findings_across_files(tree: MakeTree) -> None:
    files = tree(a_py="one\ntwo\n", b_py="three\n")
    asked = [finding(2), finding(path="b.py"), finding(1)]
    assert [found for found, _ in excerpts(asked, files)] == asked
    assert snippets(files, *asked) == ["two", "three", "one"]


def test_a_line_is_shown_without_its_carriage_return(tree: MakeTree) -> None:
    assert snippets(tree(a_py="one\r\ntwo\r\n"), finding(1, 2)) == ["one\ntwo"]


def test_other_separators_than_the_line_feed_are_content(tree: MakeTree) -> None:
    assert snippets(tree(a_py="one\ftwo\u2028three\nfour"), finding(2)) == ["four"]


@pytest.mark.parametrize("line", [0, 3, 99])
def test_a_place_outside_the_file_shows_nothing(tree: MakeTree, line: int) -> None:
    assert snippets(tree(a_py="one\ntwo"), finding(line)) == [""]


def test_a_binary_or_unknown_file_shows_nothing(tree: MakeTree) -> None:
    assert snippets(tree(a_py="\0one"), finding(), finding(path="gone.py")) == ["", ""]


def test_identity_rests_on_all_flagged_lines_but_few_are_shown(tree: MakeTree) -> None:
    lines = [f"line {number}" for number in range(30)]
    ((_, excerpt),) = excerpts([finding(2, 20)], tree(a_py="\n".join(lines)))
    assert excerpt.evidence.split("\n") == lines[1:20]
    assert excerpt.snippet.split("\n") == lines[1 : 1 + MOST_LINES]


def test_a_long_line_is_cut(tree: MakeTree) -> None:
    (shown,) = snippets(tree(a_py="word " * 100), finding())
    assert (len(shown), shown[-1]) == (MOST_COLUMNS, "…")
    assert snippets(tree(a_py="x " * (MOST_COLUMNS // 2)), finding()) == ["x " * 120]


def test_a_secret_is_blotted_for_every_finding_of_its_line(tree: MakeTree) -> None:
    files = tree(a_py="swordfis = 1\nswordfis = 2")
    secret = finding(kind=Kind.SECRET)
    assert snippets(files, secret, finding(), finding(2)) == [
        "**** = 1",
        "**** = 1",
        "swordfis = 2",
    ]


def test_the_body_of_a_private_key_is_hidden_from_wherever_it_is_shown(tree: MakeTree) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nbody\nmore\n-----END PRIVATE KEY-----\nplain"
    files = tree(a_py=key)
    assert snippets(files, finding(3)) == ["****"]
    assert snippets(files, finding(5)) == ["plain"]
    assert snippets(files, finding(1, 5))[0].split("\n")[1:3] == ["****", "****"]


def test_a_line_is_masked_once_however_many_findings_point_at_it(
    tree: MakeTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    masked: list[str] = []

    def noted(text: str, known: object, *, literals: bool, bare: bool) -> str:
        masked.append(text)
        return text

    monkeypatch.setattr("mergegate.repo.excerpts.mask_line", noted)
    files = tree(a_py="\n".join(map(str, range(50))))
    excerpts([finding(line) for line in range(1, 51) for _ in range(20)], files)
    assert masked == [str(number) for number in range(50)]


def test_what_the_rule_calls_a_secret_is_masked_for_every_finding_of_its_lines(
    tree: MakeTree,
) -> None:
    """A rule about constant keys flags a literal that no detector takes for a secret."""
    files = tree(a_py="aes = new(b'plain word', 'utf-8')\nvalue: word\nlast: 'word'")
    literal = replace(finding(), cwe=("CWE-321",))
    assert snippets(files, literal, finding(1, 3)) == [
        "aes = new(b'****', 'utf-8')",
        "aes = new(b'****', 'utf-8')\nvalue: ****\nlast: 'word'",
    ]
    assert snippets(files, finding(3)) == ["last: 'word'"]


def test_a_secret_in_pieces_is_blotted_on_every_line_of_it(tree: MakeTree) -> None:
    first, rest = TOKEN[:10], TOKEN[10:]
    files = tree(a_py=f"call(\n    '{first}'\n    '{rest}'\n)\nx = 1\n")
    shown = snippets(files, finding(2), finding(3), finding(1, 4))
    assert shown == ["    '****'", "    '********'", "call(\n    '****'\n    '********'\n)"]


def test_what_nobody_is_shown_is_the_same_without_its_snippet(tree: MakeTree) -> None:
    files = tree(a_py="def f():\n    return 1\n")
    ((_, shown),) = excerpts([finding(2)], files)
    ((_, plain),) = excerpts([finding(2)], files, shown=False)
    assert plain == replace(shown, snippet="")

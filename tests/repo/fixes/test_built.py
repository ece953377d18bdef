"""A text in its parts, however it is put together."""

import pytest

from mergegate.repo.fixes.built import Text, built
from mergegate.repo.fixes.edits import UncertainError
from mergegate.repo.fixes.syntax import LANGUAGES, Source


def parts(language: str, said: str) -> list[str]:
    """Texts as they are written, values in angle brackets."""
    source = Source(f"x = {said}", LANGUAGES[language])
    node = source.at(4, 4 + len(said.encode()))
    return [
        one.raw if isinstance(one, Text) else f"<{one.said}>" for one in built(source, node).parts
    ]


@pytest.mark.parametrize(
    ("language", "said", "expected"),
    [
        ("python", 'f"a {b} c"', ["a ", "<b>", " c"]),
        ("python", '"a %s c" % b', ["a ", "<b>", " c"]),
        ("python", '"a %(b)s" % {"b": c}', ["a ", "<c>", ""]),
        ("python", '"a {} {b}".format(c, b=d)', ["a ", "<c>", " ", "<d>", ""]),
        ("python", '"a {1} {0}".format(c, d)', ["a ", "<d>", " ", "<c>", ""]),
        ("python", '("a " "%s") % b', ["a ", "", "<b>", ""]),
        ("python", '"a " + b + f"{c}"', ["a ", "<b>", "", "<c>", ""]),
        ("javascript", "`a ${b.c} d`", ["a ", "<b.c>", " d"]),
        ("javascript", "'a ' + (b + \"c\")", ["a ", "<b>", "c"]),
    ],
)
def test_texts_and_values(language: str, said: str, expected: list[str]) -> None:
    assert parts(language, said) == expected


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("python", 'f"a {b:>3}"'),
        ("python", 'f"a {b!r}"'),
        ("python", '"a %.2f" % b'),
        ("python", '"a %s %s" % b'),
        ("python", '"a %s" % values'),
        ("python", '"a {} {}".format(b)'),
        ("python", '"a".format(b)'),
        ("python", '"a {b.c}".format(b=d)'),
        ("python", 'b"a" + b'),
        ("python", "a + b"),
        ("python", 'f"{a}" % b'),
        ("python", '"a" + ' + " + ".join("b" * 100)),
        ("javascript", "tag`a ${b}`"),
        ("javascript", "a + b"),
    ],
)
def test_what_is_put_together_in_another_way(language: str, said: str) -> None:
    with pytest.raises(UncertainError):
        parts(language, said)

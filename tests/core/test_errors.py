"""The tree of errors: what people read, and what the API's clients switch on."""

from collections.abc import Iterator

from mergegate.core import errors
from mergegate.core.errors import MergegateError, TargetNotAllowed


def every(kind: type[MergegateError] = MergegateError) -> Iterator[type[MergegateError]]:
    yield kind
    for below in kind.__subclasses__():
        if below.__module__ == errors.__name__:
            yield from every(below)


def test_each_code_is_of_one_error_alone_and_upper_snake_case() -> None:
    codes = [kind.__dict__["code"] for kind in every() if kind.__dict__.get("code")]
    assert len(codes) == len(set(codes)) > 0
    assert all(code.isupper() and code.replace("_", "").isalpha() for code in codes)


def test_a_code_is_in_no_sentence() -> None:
    refused = TargetNotAllowed("the host is private", remedy="Name it by --allow.")
    assert str(refused) == "the host is private. Name it by --allow."
    assert refused.code == "TARGET_NOT_ALLOWED"


def test_the_drawing_of_the_tree_names_every_error() -> None:
    drawn = errors.__doc__ or ""
    assert [kind.__name__ for kind in every() if kind.__name__ not in drawn] == []

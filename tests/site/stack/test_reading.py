"""What the probe brought back is read as the hostile text it is."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mergegate.site.stack import probe, stack, traces

URL = "https://example.com/"
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(max_size=5) | st.just("\ud800"),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=12,
)
FIELDS = ("html", "metas", "scripts", "styles", "cookies", "globals", "selectors", "readings")


@settings(deadline=None, max_examples=50)
@given(st.dictionaries(st.sampled_from(FIELDS), JSON) | JSON)
def test_whatever_the_page_answers_is_read(answer: object) -> None:
    read = traces(URL, answer, {}, [])
    assert stack(read) == stack(read)


def test_answers_are_told_by_what_was_asked() -> None:
    answers: list[object] = [None] * len(probe.global_paths())
    answers[probe.global_paths().index("React.version")] = "18.2.0"
    read = traces(URL, {"globals": answers}, {}, [])
    assert read.globals == {"React.version": "18.2.0"}


def test_only_true_is_a_matched_selector() -> None:
    answers = [True, "true", 1, None, False]
    read = traces(URL, {"selectors": answers}, {}, [])
    assert read.selectors == {probe.selectors()[0]}


def test_more_answers_than_questions_are_cut_off() -> None:
    read = traces(URL, {"globals": ["x"] * 10_000, "selectors": [True] * 10_000}, {}, [])
    assert set(read.globals) == set(probe.global_paths())
    assert read.selectors == set(probe.selectors())


def test_all_text_is_cut_short() -> None:
    long = "x" * 20_000
    answer = {
        "html": "x" * 2_000_000,
        "metas": [[long, long]] * 1000,
        "scripts": [f"{number}{long}" for number in range(1000)],
        "cookies": [f"{number}{long[:1000]}" for number in range(1000)],
        "globals": [long],
    }
    read = traces(long, answer, {long: (long,) * 100}, [long] * 5000)
    assert len(read.html) <= probe.HTML_CHARS + 1
    assert len(read.url) == probe.ADDRESS_CHARS
    assert len(read.scripts) == probe.ADDRESSES
    assert len(read.cookies) == probe.COOKIES
    assert {len(text) for text in read.globals.values()} == {probe.TEXT_CHARS}
    assert len(read.requests) == 1
    assert max(len(text) for texts in read.headers.values() for text in texts) <= 500


def test_cookies_of_the_header_are_names_alone() -> None:
    headers = {"Set-Cookie": ("laravel_session=secret; HttpOnly", "a=b"), "Cookie": ("k=secret",)}
    read = traces(URL, {"cookies": ["seen", "a"]}, headers, [])
    assert read.cookies == ("seen", "a", "laravel_session")
    assert "secret" not in repr(read)


def test_header_names_are_in_small_letters_and_say_their_values() -> None:
    assert traces(URL, None, {"Server": ("nginx",)}, []).headers == {"server": ("nginx",)}


def test_meta_elements_of_one_name_are_kept_apart() -> None:
    answer = {"metas": [["Generator", "A 1"], ["generator", "B 2"], ["", "C"], ["x"], "y"]}
    assert traces(URL, answer, {}, []).metas == {"generator": ("A 1", "B 2")}


@pytest.mark.parametrize("answer", [None, [], "text", 3, {"html": None}])
def test_a_probe_without_an_answer_leaves_the_headers(answer: object) -> None:
    read = traces(URL, answer, {"server": ("nginx/1.25.3",)}, [])
    assert [one.name for one in stack(read).technologies] == ["nginx"]

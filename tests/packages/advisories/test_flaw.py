"""What is said of a flaw, by records as they are published."""

import pytest

from mergegate.packages.advisories.flaw import first_sentence, flaw


@pytest.mark.parametrize(
    ("details", "said"),
    [
        (
            (
                "Flask is a lightweight WSGI web application framework. When all of the following "
                "conditions are met, a response may be cached by a proxy."
            ),
            "When all of the following conditions are met, a response may be cached by a proxy",
        ),
        (
            (
                "urllib3 is a user-friendly HTTP client library for Python. urllib3 doesn't treat "
                "the `Cookie` HTTP header special."
            ),
            "urllib3 doesn't treat the `Cookie` HTTP header special",
        ),
        (
            (
                "PyJWT is a JSON Web Token implementation in Python. Prior to 2.12.0, PyJWT does "
                "not validate the crit Header Parameter."
            ),
            "PyJWT does not validate the crit Header Parameter",
        ),
        (
            (
                "An issue was discovered in Pillow before 8.1.1. In TiffDecode.c, there is a "
                "negative-offset memcpy with an invalid size."
            ),
            "In TiffDecode.c, there is a negative-offset memcpy with an invalid size",
        ),
        (
            (
                "In affected versions TFLite's [expand_dims.cc](https://example.org/a.cc) contains "
                "a vulnerability."
            ),
            "TFLite's expand_dims.cc contains a vulnerability",
        ),
        (
            "A ReDoS issue was discovered in pygments through 2.15.0.",
            "A ReDoS issue was discovered in pygments through 2.15.0",
        ),
        (
            "Versions 1.2, 1.3 and 1.4, and before 2.0, of_this_function reads out of bounds.",
            "of_this_function reads out of bounds",
        ),
        ("Ansible before 2.1 leaks keys", "Ansible before 2.1 leaks keys"),
        ("libwebp: OOB write in BuildHuffmanTable", "libwebp: OOB write in BuildHuffmanTable"),
        ("A caller may do one of two things: read or write.", "A caller may do one of two things"),
        ("A.py is a tool for building agents.", ""),
        ("", ""),
    ],
)
def test_title_says_what_is_wrong_and_not_what_the_product_is_for(details: str, said: str) -> None:
    assert first_sentence(flaw(details)) == said


def test_long_hostile_prose_ends_soon() -> None:
    assert flaw("is a " * 400_000) == ""
    assert flaw("in versions 1," * 100_000)

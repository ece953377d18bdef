"""Images that can be found and read out, and others."""

import pytest

from mergegate.site.seo.facts import SearchFacts
from tests.site.seo.checks.well_made import found, rules, with_body


def image(attributes: str) -> SearchFacts:
    return with_body(f"<img {attributes}>")


SIZE = 'width="80" height="60"'
CASES: dict[str, tuple[SearchFacts, list[str]]] = {
    "no alt": (image(f'src="/a.png" {SIZE}'), ["image-alt-missing"]),
    "empty alt": (image(f'src="/a.png" alt="" {SIZE}'), []),
    "decorative by role": (image(f'src="/a.png" role="presentation" {SIZE}'), []),
    "hidden from readers": (image(f'src="/a.png" aria-hidden="true" {SIZE}'), []),
    "a counter": (image('src="https://example.net/p" width="1" height="1"'), []),
    "file name": (image(f'src="/a.png" alt="tea_pot-2.JPG" {SIZE}'), ["image-alt-file-name"]),
    "name of a camera": (image(f'src="/a.png" alt="IMG_20260101" {SIZE}'), ["image-alt-file-name"]),
    "just image": (image(f'src="/a.png" alt="image" {SIZE}'), ["image-alt-file-name"]),
    "a sentence with a file": (image(f'src="/a.png" alt="How to open tea.png in GIMP" {SIZE}'), []),
    "image of something": (image(f'src="/a.png" alt="Image of a pot" {SIZE}'), []),
    "no dimensions": (image('src="/a.png" alt="A pot"'), ["image-dimensions-missing"]),
    "only a width": (image('src="/a.png" alt="A pot" width="80"'), ["image-dimensions-missing"]),
    "no address": (image(f'data-src="/a.png" alt="A pot" {SIZE}'), ["image-without-source"]),
    "candidates only": (image(f'srcset="/a.png 1x, /b.png 2x" alt="A pot" {SIZE}'), []),
    "small within the page": (image(f'src="data:image/gif;base64,R0lGOD" alt="" {SIZE}'), []),
    "large within the page": (
        image(f'src="data:image/png;base64,{"A" * 30_000}" alt="A pot" {SIZE}'),
        ["image-data-uri"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_points_of_images_are_exactly_these(name: str) -> None:
    facts, expected = CASES[name]
    assert rules(facts) == expected


def test_the_message_tells_how_many_of_how_many() -> None:
    [point] = found(with_body('<img src="/a.png" width="9" height="9">' * 3))
    assert point.message == "3 of 5 images without an alt attribute."
    assert point.evidence == "https://example.org/a.png"

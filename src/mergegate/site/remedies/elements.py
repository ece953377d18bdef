"""Slots for code about elements: corrected tags, colours, selectors; images and their sizes."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import wraps

from mergegate.site.audit.facts import Detail
from mergegate.site.remedies.quoting import Tag, attribute, selector, tag
from mergegate.site.remedies.remedy import Fill, Page, Slots

_STEPS = 100
_RED, _GREEN, _BLUE = 0.2126, 0.7152, 0.0722
Colour = tuple[int, int, int]


def readable(text: str, background: str, ratio: float) -> str | None:
    """The colour nearest to ``text`` that has ``ratio`` on ``background``; all are ``#rrggbb``.

    It is ``text`` mixed with black or with white. None when neither reaches the ratio.
    """
    behind, front = _parse(background), _parse(text)
    for step in range(1, _STEPS + 1):
        for end in ((0, 0, 0), (255, 255, 255)):
            mixed = _mix(front, end, step / _STEPS)
            if contrast(mixed, behind) >= ratio:
                return "#{:02x}{:02x}{:02x}".format(*mixed)
    return None


def contrast(one: Colour, other: Colour) -> float:
    """The contrast ratio of two colours, 1–21."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def _parse(text: str) -> Colour:
    number = int(text.removeprefix("#"), 16)
    return number >> 16 & 255, number >> 8 & 255, number & 255


def _mix(one: Colour, other: Colour, part: float) -> Colour:
    red, green, blue = (
        round(mine + (theirs - mine) * part) for mine, theirs in zip(one, other, strict=True)
    )
    return red, green, blue


def _luminance(colour: Colour) -> float:
    red, green, blue = (_linear(channel / 255) for channel in colour)
    return _RED * red + _GREEN * green + _BLUE * blue


def _linear(channel: float) -> float:
    return channel / 12.92 if channel <= 0.04045 else float(((channel + 0.055) / 1.055) ** 2.4)


_SHOWN = 3
_CONTRAST = re.compile(
    r"foreground color: (#[0-9a-f]{6}), background color: (#[0-9a-f]{6})"
    r".{0,120}?contrast ratio of (\d+(?:\.\d+)?):1",
    re.IGNORECASE | re.DOTALL,
)
_NAMELESS = frozenset({"button", "a", "input", "select", "textarea", "iframe", "img"})
_CONTROLS = frozenset({"input", "select", "textarea"})
Write = Callable[[Tag, Page], str | None]


def _elements(write: Write) -> Fill:
    """The first elements of the rows as ``write`` puts them right, each once."""

    @wraps(write)
    def fill(page: Page, rows: Sequence[Detail]) -> Slots | None:
        tags = (tag(row.element.snippet) for row in rows if row.element)
        lines = (write(one, page) for one in tags if one and one.name in _NAMELESS)
        listed = list(dict.fromkeys(filter(None, lines)))[:_SHOWN]
        return {"lines": "\n".join(listed)} if listed else None

    return fill


@_elements
def described(image: Tag, page: Page) -> str:
    """The image with an alternative text."""
    return image.write(page.run.final_url, alt="WHAT THE IMAGE TELLS")


@_elements
def labelled(field: Tag, page: Page) -> str | None:
    """The field with a label before it."""
    if field.name not in _CONTROLS:
        return None
    name = attribute(field.attributes.get("id") or field.attributes.get("name") or "FIELD")
    label = f'<label for="{name}">WHAT TO ENTER</label>'
    return f"{label}\n{field.write(page.run.final_url, id=name)}{_end(field)}"


@_elements
def named(element: Tag, page: Page) -> str | None:
    """The button or link with a name for assistive technology."""
    written = element.write(page.run.final_url, aria_label="WHAT IT DOES")
    return f"{written}…{_end(element)}" if _end(element) else written


@_elements
def titled(frame: Tag, page: Page) -> str | None:
    """The frame with a title."""
    return f"{frame.write(page.run.final_url, title='WHAT THE FRAME SHOWS')}</iframe>"


@_elements
def reachable(link: Tag, page: Page) -> str | None:
    """The link with an address."""
    written = link.write(page.run.final_url, href="/WHERE-IT-LEADS")
    return f"{written}…</a>" if link.name == "a" else None


@_elements
def pasteable(field: Tag, page: Page) -> str | None:
    """The field without its handlers."""
    return field.write(page.run.final_url) if field.name in _CONTROLS else None


def _end(element: Tag) -> str:
    return "" if element.name in {"input", "img"} else f"</{element.name}>"


def contrasts(_: Page, rows: Sequence[Detail]) -> Slots | None:
    """Rules that give texts a readable colour."""
    rules = list(dict.fromkeys(_rules(rows)))[:_SHOWN]
    return {"rules": "\n\n".join(rules)} if rules else None


def _rules(rows: Sequence[Detail]) -> Iterator[str]:
    for row in rows:
        found = _CONTRAST.search(row.text)
        where = selector(row.element.selector) if row.element else None
        colour = readable(found[1], found[2], float(found[3])) if found else None
        if found and where and colour:
            yield f"{where} {{\n  color: {colour}; /* was {found[1]} on {found[2]} */\n}}"


def targets(_: Page, rows: Sequence[Detail]) -> Slots | None:
    """The selectors of touch targets that are too small."""
    found = (selector(row.element.selector) for row in rows if row.element)
    listed = list(dict.fromkeys(filter(None, found)))[:_SHOWN]
    return {"selectors": ",\n".join(listed)} if listed else None


_WIDTH, _HEIGHT = "WIDTH", "HEIGHT"
# "(900x600) for its displayed dimensions (525x350)": the file's own size comes first.
_OWN_SIZE = re.compile(r"\((\d{1,5}) ?x ?(\d{1,5})\) for its displayed")
_ENDING = re.compile(r"\.(?:png|jpe?g|gif|bmp|tiff?|webp)$", re.IGNORECASE)


def largest_image(page: Page, rows: Sequence[Detail]) -> Slots | None:
    """The first image that is known."""
    return next((slots for row in rows if (slots := _slots(row, page))), None)


def heaviest_image(page: Page, rows: Sequence[Detail]) -> Slots | None:
    """The first image that is known, with its address's stem for other widths and formats."""
    for row in rows:
        slots = _slots(row, page)
        stem = _stem(slots["src"]) if slots else None
        if slots and stem:
            return {**slots, "stem": stem}
    return None


def _stem(src: str) -> str | None:
    """The address without its ending, to which widths and endings are added."""
    stem, endings = _ENDING.subn("", src.split("?", 1)[0])
    return stem.replace(",", "%2C") if endings else None


def _slots(row: Detail, page: Page) -> Slots | None:
    """Values of one image; None unless the row shows its tag and its address is known."""
    image = _image(row)
    src = row.url or _source(image, page)
    known = page.address(src) if src else None
    if image is None or known is None:
        return None
    width, height = _size(image, row, page)
    sized = {"src": attribute(known), "width": width, "height": height}
    return {
        **sized,
        "alt": attribute(image.attributes.get("alt", "")),
        "tag": image.write(page.run.final_url, **sized),
        "eager": image.write(page.run.final_url, **sized, fetchpriority="high"),
    }


def _image(row: Detail) -> Tag | None:
    found = tag(row.element.snippet) if row.element else None
    return found if found and found.name == "img" else None


def _source(image: Tag | None, page: Page) -> str:
    """The full address of the image that was loaded under the name that its tag gives."""
    name = (image.attributes.get("src", "") if image else "").strip().lstrip("./")
    loads = (load.url for load in page.run.waterfall if load.kind == "image")
    return next((url for url in loads if name and url.endswith(name)), "")


def _size(image: Tag, row: Detail, page: Page) -> tuple[str, str]:
    """Width and height from the tag, else from Lighthouse's row, else placeholders."""
    told = image.attributes.get("width", ""), image.attributes.get("height", "")
    if all(re.fullmatch(r"[0-9]{1,5}", number) for number in told):
        return told
    texts = (one.text for one in page.rows("image-delivery-insight") if one.url == row.url)
    match = next(filter(None, map(_OWN_SIZE.search, texts)), None)
    return (match[1], match[2]) if match and row.url else (_WIDTH, _HEIGHT)


def unsized_images(page: Page, _: Sequence[Detail]) -> Slots | None:
    """The first images without a size; what else shifted the page is no image."""
    rows = page.rows("unsized-images")[:_SHOWN]
    found = [slots for row in rows if (slots := _slots(row, page))]
    tags = dict.fromkeys(slots["tag"] for slots in found)
    return {**found[0], "tags": "\n".join(tags)} if found else None

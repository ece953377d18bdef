"""Slots for code about images: their addresses, tags and sizes."""

import re
from collections.abc import Sequence

from mergegate.site.audit.facts import Detail
from mergegate.site.remedies.quoting import Tag, attribute, tag
from mergegate.site.remedies.remedy import Page, Slots

_SHOWN = 3
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

"""Code for images: the largest one first, room for each, small files."""

import re

from mergegate.site.audit.facts import Detail
from mergegate.site.remedies.quoting import Tag, attribute, tag
from mergegate.site.remedies.remedy import Page, Recipe, Remedy, Slots, Stack

_SHOWN = 3
_WIDTH, _HEIGHT = "WIDTH", "HEIGHT"
# "(900x600) for its displayed dimensions (525x350)": the file's own size comes first.
_OWN_SIZE = re.compile(r"\((\d{1,5}) ?x ?(\d{1,5})\) for its displayed")
_ENDING = re.compile(r"\.(?:png|jpe?g|gif|bmp|tiff?|webp)$", re.IGNORECASE)
_PLACEHOLDER = "Where it says WIDTH and HEIGHT, put those of the file, in pixels."


def _largest(page: Page) -> Slots | None:
    found = (_slots(row, page) for row in page.rows("lcp-discovery-insight"))
    return next((slots for slots in found if slots), None)


def _heaviest(page: Page) -> Slots | None:
    for row in page.rows("image-delivery-insight"):
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
    return {
        "src": attribute(known),
        "alt": attribute(image.attributes.get("alt", "")),
        "width": width,
        "height": height,
        "tag": image.write(page.run.final_url, src=attribute(known), width=width, height=height),
        "eager": image.write(
            page.run.final_url,
            src=attribute(known),
            width=width,
            height=height,
            fetchpriority="high",
        ),
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
    """As the tag says, else as Lighthouse says of the file; placeholders when nobody does."""
    told = image.attributes.get("width", ""), image.attributes.get("height", "")
    if all(re.fullmatch(r"[0-9]{1,5}", number) for number in told):
        return told
    texts = (one.text for one in page.rows("image-delivery-insight") if one.url == row.url)
    match = next(filter(None, map(_OWN_SIZE.search, texts)), None)
    return (match[1], match[2]) if match and row.url else (_WIDTH, _HEIGHT)


def _unsized(page: Page) -> Slots | None:
    rows = page.rows("unsized-images")[:_SHOWN]
    found = [slots for slots in (_slots(row, page) for row in rows) if slots]
    tags = dict.fromkeys(slots["tag"] for slots in found)
    return {**found[0], "tags": "\n".join(tags)} if found else None


_NEXT_IMAGE = """import Image from "next/image";

<Image src="@@src" alt="@@alt" width={@@width} height={@@height}@@extra />"""
_PICTURE = """<picture>
  <source type="image/avif" sizes="(max-width: 640px) 100vw, 640px"
    srcset="@@{stem}-480.avif 480w, @@{stem}-960.avif 960w, @@{stem}-1440.avif 1440w">
  <source type="image/webp" sizes="(max-width: 640px) 100vw, 640px"
    srcset="@@{stem}-480.webp 480w, @@{stem}-960.webp 960w, @@{stem}-1440.webp 1440w">
  @@tag
</picture>"""
_IN_REACT = "In Next.js a local file is best imported: width and height then come by themselves."
IMAGES: tuple[Remedy, ...] = (
    Remedy(
        key="largest-image",
        rules=("lcp-discovery-insight",),
        title="Fetch the largest image first",
        explanation=(
            "The browser should meet this image in the HTML and fetch it before others. Take "
            f"loading=lazy away if it is there. {_PLACEHOLDER}"
        ),
        recipes={
            None: Recipe(
                "html",
                """<!-- in the head, only if the image is not in the HTML that the server sends -->
<link rel="preload" as="image" href="@@src" fetchpriority="high">

<!-- the image itself, its other attributes as they are -->
@@eager""",
                "Only one or two images of a page should have a high priority.",
            ),
            Stack.NEXT: Recipe(
                "jsx",
                _NEXT_IMAGE.replace("@@extra", " priority"),
                f"{_IN_REACT} From Next.js 16 on, the property is called preload.",
            ),
            Stack.NUXT: Recipe(
                "vue",
                """<NuxtImg src="@@src" alt="@@alt" width="@@width" height="@@height"
  preload fetchpriority="high" loading="eager" />""",
                "It needs the module @nuxt/image.",
            ),
            Stack.ASTRO: Recipe(
                "astro",
                """<img src="@@src" alt="@@alt" width="@@width" height="@@height"
  loading="eager" fetchpriority="high" decoding="async">""",
                "The same properties go on Image of astro:assets.",
            ),
            Stack.GATSBY: Recipe(
                "jsx",
                """import { StaticImage } from "gatsby-plugin-image";

<StaticImage src="@@src" alt="@@alt" loading="eager" fetchPriority="high" />""",
                "src is the path of the file in the project.",
            ),
            Stack.ANGULAR: Recipe(
                "html",
                '<img ngSrc="@@src" alt="@@alt" width="@@width" height="@@height" priority>',
                "The component imports NgOptimizedImage of @angular/common.",
            ),
            Stack.WORDPRESS: Recipe(
                "php",
                """<?php
echo wp_get_attachment_image(
    get_post_thumbnail_id(),
    'large',
    false,
    array( 'fetchpriority' => 'high', 'loading' => false )
);""",
                "In the template that shows the image; an image block of the editor has the "
                "setting where the theme does not decide.",
            ),
        },
        slots=_largest,
    ),
    Remedy(
        key="image-size",
        rules=("unsized-images", "cls-culprits-insight"),
        title="Give images their width and height",
        explanation=(
            "The browser then keeps the room free before the image arrives; CSS may still scale "
            f"it (height: auto). {_PLACEHOLDER}"
        ),
        recipes={
            None: Recipe("html", "@@tags", "Other attributes of the elements stay as they are."),
            Stack.NEXT: Recipe("jsx", _NEXT_IMAGE.replace("@@extra", ""), _IN_REACT),
            Stack.NUXT: Recipe(
                "vue",
                '<NuxtImg src="@@src" alt="@@alt" width="@@width" height="@@height" />',
                "It needs the module @nuxt/image.",
            ),
            Stack.ANGULAR: Recipe(
                "html",
                '<img ngSrc="@@src" alt="@@alt" width="@@width" height="@@height">',
                "The component imports NgOptimizedImage of @angular/common.",
            ),
        },
        slots=_unsized,
    ),
    Remedy(
        key="image-format",
        rules=("image-delivery-insight",),
        title="Offer the heaviest image in modern formats and several widths",
        explanation=(
            "The browser takes the smallest file that is sharp enough. The files have to be made "
            f"first, with any image tool. The savings are those of all images that the issue "
            f"lists. {_PLACEHOLDER}"
        ),
        recipes={
            None: Recipe(
                "html", _PICTURE, "Set sizes to the width at which your layout shows the image."
            ),
            Stack.NEXT: Recipe(
                "jsx",
                _NEXT_IMAGE.replace("@@extra", '\n  sizes="(max-width: 640px) 100vw, 640px"'),
                "next/image makes formats and widths itself; images.formats in next.config adds "
                "AVIF.",
            ),
            Stack.NUXT: Recipe(
                "vue",
                """<NuxtPicture src="@@src" format="avif,webp" sizes="100vw sm:640px"
  width="@@width" height="@@height" :img-attrs="{ alt: 'DESCRIBE THE IMAGE' }" />""",
                "It needs the module @nuxt/image.",
            ),
            Stack.ASTRO: Recipe(
                "astro",
                """---
import { Picture } from "astro:assets";
import image from "../assets/IMAGE.png";
---
<Picture src={image} formats={["avif", "webp"]} widths={[480, 960, 1440]}
  sizes="(max-width: 640px) 100vw, 640px" alt="@@alt" />""",
                "Put the path of the file into the import.",
            ),
            Stack.GATSBY: Recipe(
                "jsx",
                """import { StaticImage } from "gatsby-plugin-image";

<StaticImage src="@@src" alt="@@alt" formats={["auto", "webp", "avif"]} layout="constrained" />""",
                "src is the path of the file in the project.",
            ),
            Stack.SVELTEKIT: Recipe(
                "svelte",
                '<enhanced:img src="@@src" alt="@@alt" sizes="(max-width: 640px) 100vw, 640px" />',
                "It needs @sveltejs/enhanced-img; src is the path of the file in the project.",
            ),
            Stack.HUGO: Recipe(
                "html",
                """{{ $image := resources.Get "images/IMAGE.png" }}
{{ $small := $image.Resize "480x webp" }}{{ $large := $image.Resize "960x webp" }}
<img src="{{ $large.RelPermalink }}" alt="@@alt"
  srcset="{{ $small.RelPermalink }} 480w, {{ $large.RelPermalink }} 960w"
  sizes="(max-width: 640px) 100vw, 640px"
  width="{{ $large.Width }}" height="{{ $large.Height }}">""",
                "Put the path of the file below assets/ into resources.Get.",
            ),
        },
        slots=_heaviest,
    ),
)

"""Code for elements that assistive technology, keyboards and crawlers cannot use."""

import re
from collections.abc import Callable, Iterator

from mergegate.site.remedies.quoting import Tag, attribute, selector, tag
from mergegate.site.remedies.remedy import Page, Recipe, Remedy, Slots, Stack

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
    """1–21."""
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
_OTHERS = "The elements' other attributes stay as they are."
Write = Callable[[Tag, Page], str | None]


def _written(page: Page, rules: tuple[str, ...], write: Write) -> Slots | None:
    """The first elements of ``rules`` as ``write`` puts them right, each once."""
    rows = (row for row in page.rows(*rules) if row.element)
    tags = (tag(row.element.snippet) for row in rows if row.element)
    lines = (write(one, page) for one in tags if one and one.name in _NAMELESS)
    listed = list(dict.fromkeys(filter(None, lines)))[:_SHOWN]
    return {"lines": "\n".join(listed)} if listed else None


def _alternative(image: Tag, page: Page) -> str:
    return image.write(page.run.final_url, alt="WHAT THE IMAGE TELLS")


def _labelled(field: Tag, page: Page) -> str | None:
    if field.name not in _CONTROLS:
        return None
    name = attribute(field.attributes.get("id") or field.attributes.get("name") or "FIELD")
    label = f'<label for="{name}">WHAT TO ENTER</label>'
    return f"{label}\n{field.write(page.run.final_url, id=name)}{_end(field)}"


def _named(element: Tag, page: Page) -> str | None:
    written = element.write(page.run.final_url, aria_label="WHAT IT DOES")
    return f"{written}…{_end(element)}" if _end(element) else written


def _titled(frame: Tag, page: Page) -> str | None:
    return f"{frame.write(page.run.final_url, title='WHAT THE FRAME SHOWS')}</iframe>"


def _reachable(link: Tag, page: Page) -> str | None:
    written = link.write(page.run.final_url, href="/WHERE-IT-LEADS")
    return f"{written}…</a>" if link.name == "a" else None


def _pasteable(field: Tag, page: Page) -> str | None:
    return field.write(page.run.final_url) if field.name in _CONTROLS else None


def _end(element: Tag) -> str:
    return "" if element.name in {"input", "img"} else f"</{element.name}>"


def _contrasts(page: Page) -> Slots | None:
    rules = list(dict.fromkeys(_rules(page)))[:_SHOWN]
    return {"rules": "\n\n".join(rules)} if rules else None


def _rules(page: Page) -> Iterator[str]:
    for row in page.rows("color-contrast"):
        found = _CONTRAST.search(row.text)
        where = selector(row.element.selector) if row.element else None
        colour = readable(found[1], found[2], float(found[3])) if found else None
        if found and where and colour:
            yield f"{where} {{\n  color: {colour}; /* was {found[1]} on {found[2]} */\n}}"


def _targets(page: Page) -> Slots | None:
    rows = page.rows("target-size")
    found = (selector(row.element.selector) for row in rows if row.element)
    listed = list(dict.fromkeys(filter(None, found)))[:_SHOWN]
    return {"selectors": ",\n".join(listed)} if listed else None


_ALT = ("image-alt", "input-image-alt")
_LABEL = ("label", "select-name")
_NAME = ("button-name", "link-name", "input-button-name")
ELEMENTS: tuple[Remedy, ...] = (
    Remedy(
        key="alt",
        rules=_ALT,
        title="Say what images tell",
        explanation="An image that only decorates gets an empty alt.",
        recipes={
            None: Recipe("html", "@@lines", _OTHERS),
            Stack.WORDPRESS: Recipe(
                "html",
                "@@lines",
                "The media library keeps a text for each image; images put in anew take it over.",
            ),
            Stack.SPHINX: Recipe("rst", ".. image:: IMAGE.png\n   :alt: WHAT THE IMAGE TELLS"),
            Stack.MKDOCS: Recipe("markdown", "![WHAT THE IMAGE TELLS](IMAGE.png)"),
            Stack.DOCUSAURUS: Recipe("markdown", "![WHAT THE IMAGE TELLS](./IMAGE.png)"),
            Stack.HUGO: Recipe("markdown", "![WHAT THE IMAGE TELLS](IMAGE.png)"),
            Stack.JEKYLL: Recipe("markdown", "![WHAT THE IMAGE TELLS](/IMAGE.png)"),
            Stack.RAILS: Recipe("erb", '<%= image_tag "IMAGE.png", alt: "WHAT THE IMAGE TELLS" %>'),
        },
        slots=lambda page: _written(page, _ALT, _alternative),
    ),
    Remedy(
        key="label",
        rules=_LABEL,
        title="Label form fields",
        explanation=(
            "A tap on the label then also reaches the field. An id may stand once a page; in JSX "
            "for is htmlFor."
        ),
        recipes={
            None: Recipe("html", "@@lines", _OTHERS),
            Stack.RAILS: Recipe("erb", '<%= form.label :FIELD, "WHAT TO ENTER" %>'),
            Stack.DJANGO: Recipe(
                "html", "{{ form.FIELD.label_tag }}\n{{ form.FIELD }}", "The label is the field's."
            ),
        },
        slots=lambda page: _written(page, _LABEL, _labelled),
    ),
    Remedy(
        key="name",
        rules=_NAME,
        title="Name buttons and links",
        explanation=(
            "Visible text is best; aria-label is for those that show a symbol alone. In a link "
            "around an image, the image's alt is the name."
        ),
        recipes={None: Recipe("html", "@@lines", _OTHERS)},
        slots=lambda page: _written(page, _NAME, _named),
    ),
    Remedy(
        key="frame-title",
        rules=("frame-title",),
        title="Title frames",
        explanation="Screen readers announce it in place of what the frame holds.",
        recipes={None: Recipe("html", "@@lines", _OTHERS)},
        slots=lambda page: _written(page, ("frame-title",), _titled),
    ),
    Remedy(
        key="contrast",
        rules=("color-contrast",),
        title="Raise the contrast of text",
        explanation=(
            "The nearest colour of the same tone that reaches the ratio asked for. Better change "
            "the variable or class that the colour comes from."
        ),
        recipes={None: Recipe("css", "@@rules", "Look at hover, focus and dark mode as well.")},
        slots=_contrasts,
    ),
    Remedy(
        key="target-size",
        rules=("target-size",),
        title="Make touch targets large enough",
        explanation="24 pixels are what WCAG 2.2 asks for at level AA; 44 are comfortable.",
        recipes={
            None: Recipe(
                "css",
                """@@selectors {
  display: inline-block;
  min-width: 24px;
  min-height: 24px;
}""",
                "Links within a sentence need not be.",
            )
        },
        slots=_targets,
    ),
    Remedy(
        key="crawlable-links",
        rules=("crawlable-anchors",),
        title="Give links an address",
        explanation="What leads nowhere but does something is a button.",
        recipes={None: Recipe("html", "@@lines", _OTHERS)},
        slots=lambda page: _written(page, ("crawlable-anchors",), _reachable),
    ),
    Remedy(
        key="pasting",
        rules=("paste-preventing-inputs",),
        title="Let people paste",
        explanation="Take the handler of paste away; here the fields stand without it.",
        recipes={
            None: Recipe(
                "html",
                "@@lines",
                "It may be set by a script instead: look for paste and preventDefault.",
            )
        },
        slots=lambda page: _written(page, ("paste-preventing-inputs",), _pasteable),
    ),
)

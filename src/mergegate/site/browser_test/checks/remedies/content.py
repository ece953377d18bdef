"""What is read: texts, links, lists, tables, sound and video."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.remedy import Remedy

CONTENT: Mapping[str, Remedy] = MappingProxyType(
    {
        "color-contrast": Remedy(
            "Raise the contrast of texts",
            "Darken the text or lighten what is behind it until the ratio is 4.5 to 1, or 3 to 1 "
            "for large text: `#767676` on white just passes.",
        ),
        "link-name": Remedy(
            "Name the links",
            'Write where it leads: `<a href="/basket" aria-label="Basket"><svg …></a>`.',
        ),
        "link-in-text-block": Remedy(
            "Let links in a text show without their colour",
            "Underline them: `p a { text-decoration: underline }`.",
        ),
        "list": Remedy(
            "Put only list items into lists",
            "Children of `<ul>` and `<ol>` are `<li>`; put other elements into one.",
        ),
        "listitem": Remedy(
            "Put list items into a list",
            "Wrap the `<li>` in `<ul>` or `<ol>`.",
        ),
        "avoid-inline-spacing": Remedy(
            "Let people space their texts",
            "Move `letter-spacing`, `word-spacing` and `line-height` with `!important` out of "
            "`style` attributes.",
        ),
        "blink": Remedy("Let texts stand still", "Replace `<blink>` by plain text."),
        "marquee": Remedy("Let texts stand still", "Replace `<marquee>` by plain text."),
        "definition-list": Remedy(
            "Put only terms and descriptions into definition lists",
            "Children of `<dl>` are `<dt>` and `<dd>`, or a `<div>` around each group.",
        ),
        "dlitem": Remedy(
            "Put terms and descriptions into a definition list",
            "Wrap `<dt>` and `<dd>` in `<dl>`.",
        ),
        "no-autoplay-audio": Remedy(
            "Let people start sound themselves",
            "Remove `autoplay`, or add `muted`, and show `controls`.",
        ),
        "summary-name": Remedy(
            "Name the summaries",
            "Write into it what it opens: `<summary>Delivery times</summary>`.",
        ),
        "td-headers-attr": Remedy(
            "Correct which headers table cells name",
            "What `headers` names are ids of `<th>` in the same table.",
        ),
        "th-has-data-cells": Remedy(
            "Give table headers something to head",
            "Use `<th>` for headers alone, and add `scope` where it is not plain of what.",
        ),
        "video-caption": Remedy(
            "Give the videos captions",
            'Add `<track kind="captions" src="talk.vtt" srclang="en">`.',
        ),
    }
)

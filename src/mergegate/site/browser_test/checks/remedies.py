"""What to change, rule by rule: our own words, each with an example to type."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Remedy:
    """One rule's way out."""

    order: str
    """A step, without a full stop: what the suggestion is called."""
    text: str
    """How to do it."""


ARIA: Mapping[str, Remedy] = MappingProxyType(
    {
        "duplicate-id-aria": Remedy(
            "Use each id once",
            "Labels and ARIA find the first element of that id alone: rename the others.",
        ),
        "aria-hidden-focus": Remedy(
            "Keep what is hidden out of the keyboard's reach",
            "Add `inert` or `hidden` to what has `aria-hidden`, or let it be seen.",
        ),
        "aria-required-attr": Remedy(
            "Add the attributes that a role needs",
            'A role brings duties: `role="checkbox"` needs `aria-checked`. A plain '
            '`<input type="checkbox">` needs nothing.',
        ),
        "aria-valid-attr-value": Remedy(
            "Correct the values of ARIA attributes",
            "Ids that are named must be on the page; states are `true` or `false`.",
        ),
        "aria-allowed-attr": Remedy(
            "Remove ARIA attributes that the role does not have",
            "Remove it, or use the role that has it.",
        ),
        "aria-roles": Remedy(
            "Use roles that exist",
            "Correct the name of the role, or use the element that has it: `<nav>`, `<button>`.",
        ),
        "aria-dialog-name": Remedy(
            "Name the dialogs",
            'Name it by its heading: `<div role="dialog" aria-labelledby="dialog-title">`.',
        ),
        "aria-prohibited-attr": Remedy(
            "Remove ARIA attributes that the element may not have",
            "A plain `<div>` or `<span>` takes no name: give it the role that has one, or move "
            "`aria-label` to the control inside.",
        ),
        "aria-valid-attr": Remedy(
            "Correct the names of ARIA attributes",
            "Write it as the standard does: `aria-labelledby`; a role is named by `role`.",
        ),
        "aria-conditional-attr": Remedy(
            "Use ARIA attributes as their role asks",
            "A native checkbox tells its own state: remove `aria-checked` from it.",
        ),
        "aria-deprecated-role": Remedy(
            "Replace roles that are no longer used",
            'Use what took its place: `role="list"` for `role="directory"`.',
        ),
        "aria-braille-equivalent": Remedy(
            "Name for the ear what is named for the fingers",
            "Give the element an `aria-label` beside `aria-braillelabel`.",
        ),
        "aria-command-name": Remedy(
            "Name the buttons, links and menu items that are built with ARIA",
            'Name it: `<div role="button" tabindex="0" aria-label="Close">`.',
        ),
        "aria-meter-name": Remedy(
            "Name the gauges",
            'Name it: `<div role="meter" aria-label="Disk use" …>`.',
        ),
        "aria-progressbar-name": Remedy(
            "Name the progress bars",
            'Name it: `<div role="progressbar" aria-label="Upload" …>`.',
        ),
        "aria-tab-name": Remedy(
            "Name the tabs",
            'Write a text into it, or name it: `<button role="tab" aria-label="Prices">`.',
        ),
        "aria-tooltip-name": Remedy(
            "Fill the tooltips",
            'Write what it says into it: `<div role="tooltip">Saved an hour ago</div>`.',
        ),
        "aria-hidden-body": Remedy(
            "Show the page to everyone",
            'Remove `aria-hidden="true"` from `<body>`; for a dialog use `inert` beside it.',
        ),
        "aria-required-children": Remedy(
            "Give composed roles their parts",
            'A `role="list"` holds `role="listitem"`, a `role="menu"` holds `role="menuitem"`.',
        ),
        "aria-required-parent": Remedy(
            "Put parts of a composed role into it",
            'A `role="tab"` stands in a `role="tablist"`, a `role="option"` in a `listbox`.',
        ),
    }
)


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


CONTROLS: Mapping[str, Remedy] = MappingProxyType(
    {
        "button-name": Remedy(
            "Name the buttons",
            'Write a text into it, or name its icon: `<button aria-label="Close">×</button>`.',
        ),
        "tabindex": Remedy(
            "Leave the order of the Tab key to the page",
            'Use `tabindex="0"` at most, and order the elements in the source.',
        ),
        "target-size": Remedy(
            "Make small buttons and links larger",
            "Give it 24 by 24 pixels, or as much room around it: `min-width: 24px`.",
        ),
        "nested-interactive": Remedy(
            "Take controls out of controls",
            "Put the inner button or link beside the outer one.",
        ),
        "scrollable-region-focusable": Remedy(
            "Let the keyboard scroll",
            'Let it be reached: `<div tabindex="0" role="region" aria-label="Log">`.',
        ),
        "label-content-name-mismatch": Remedy(
            "Begin names with the text that is seen",
            "People say what they read: `aria-label` has to contain the visible text.",
        ),
    }
)


FORMS: Mapping[str, Remedy] = MappingProxyType(
    {
        "label": Remedy(
            "Label the form fields",
            'Tie a label to the field: `<label for="email">E-mail</label> <input id="email">`. '
            "A placeholder is no label: it is gone when one types.",
        ),
        "select-name": Remedy(
            "Label the select boxes",
            'Tie a label to the box: `<label for="country">Country</label> <select id="country">`.',
        ),
        "input-button-name": Remedy(
            "Give the input buttons a text",
            'Say what it does: `<input type="button" value="Add to basket">`.',
        ),
        "autocomplete-valid": Remedy(
            "Use autocomplete values that browsers know",
            'Browsers fill in only the names of the standard: `autocomplete="email"`, '
            "`street-address`, `one-time-code`.",
        ),
        "form-field-multiple-labels": Remedy(
            "Leave each field one label",
            "Keep one `<label for>`, and tie further text to the field by `aria-describedby`.",
        ),
        "label-title-only": Remedy(
            "Show the labels that stand in title alone",
            "A title shows only under a mouse: write a visible "
            '`<label for="search">Search</label>`.',
        ),
        "aria-input-field-name": Remedy(
            "Name the fields that are built with ARIA",
            'Name it by what is visible: `<div role="textbox" aria-labelledby="note-title">`.',
        ),
        "aria-toggle-field-name": Remedy(
            "Name the switches that are built with ARIA",
            'Name it: `<div role="switch" aria-checked="false" aria-label="Dark mode">`.',
        ),
    }
)


IMAGES: Mapping[str, Remedy] = MappingProxyType(
    {
        "broken-image": Remedy(
            "Deliver the images that are missing",
            "Deploy the picture under this address, or correct `src` and `srcset`.",
        ),
        "image-alt": Remedy(
            "Give the images an alternative text",
            'Say what it shows: `<img src="team.jpg" alt="Our team in Oslo">`; `alt=""` where it '
            "only decorates.",
        ),
        "input-image-alt": Remedy(
            "Give the image buttons an alternative text",
            'Say what a click does: `<input type="image" src="go.png" alt="Search">`.',
        ),
        "role-img-alt": Remedy(
            "Name the elements that stand for images",
            'Name it: `<span role="img" aria-label="4 of 5 stars">`.',
        ),
        "svg-img-alt": Remedy(
            "Name the drawings",
            'Name it: `<svg role="img" aria-label="Sales by month">`; `aria-hidden="true"` where '
            "it only decorates.",
        ),
        "object-alt": Remedy(
            "Give embedded objects an alternative text",
            'Name it: `<object data="plan.pdf" aria-label="Floor plan">`.',
        ),
        "area-alt": Remedy(
            "Give the areas of image maps an alternative text",
            'Say where it leads: `<area href="/north" alt="Northern region" …>`.',
        ),
        "image-redundant-alt": Remedy(
            "Do not say twice what stands beside an image",
            'The text beside it is read already: `<img src="cart.svg" alt=""> Basket`.',
        ),
        "server-side-image-map": Remedy(
            "Replace the image maps that need a mouse",
            'Use `<map>` with an `<area href="…" alt="…">` for each place, not `ismap`.',
        ),
    }
)


LINKS: Mapping[str, Remedy] = MappingProxyType(
    {
        "dead-link": Remedy(
            "Mend the links that lead nowhere",
            "Link what took the page's place, redirect the old address to it, or remove the link.",
        ),
        "dead-anchor": Remedy(
            "Mend the links to places that are not on the page",
            'Give the place that is meant the name, as in `<h2 id="prices">` for `#prices`, or '
            "correct the link.",
        ),
        "soft-404": Remedy(
            "Let missing pages answer 404",
            "The address says in words that nothing is there, and 200 in its status: correct the "
            "link, and let the server answer 404 or 410.",
        ),
        "flaky-link": Remedy(
            "Look at links that answer now and then",
            "It failed now and may work later: open it; if it keeps failing, correct or remove it.",
        ),
        "outside-links-not-checked": Remedy(
            "Check the links to other sites where those can be reached",
            "The machine of the scan needs a name service and a way to the internet. Nothing is "
            "known of these links until then: they may be well. "
            "`mergegate browser-test --no-external-links` leaves them out.",
        ),
    }
)


PAGE: Mapping[str, Remedy] = MappingProxyType(
    {
        "document-title": Remedy(
            "Give the pages a title",
            "Say what the page is, then whose: `<title>Prices – Example</title>`.",
        ),
        "html-has-lang": Remedy(
            "Say in which language the pages are",
            'Name it on the root: `<html lang="en">`.',
        ),
        "html-lang-valid": Remedy(
            "Name the pages' language as the standard does",
            'Use a code such as `lang="en"` or `lang="pt-BR"`.',
        ),
        "valid-lang": Remedy(
            "Name languages as the standard does",
            'Use a code such as `lang="fr"`.',
        ),
        "frame-title": Remedy(
            "Give the frames a title",
            'Say what is in it: `<iframe title="Map of our shop" …>`.',
        ),
        "meta-viewport": Remedy(
            "Let people zoom",
            'Leave out `user-scalable=no` and `maximum-scale`: `<meta name="viewport" '
            'content="width=device-width, initial-scale=1">`.',
        ),
        "heading-order": Remedy(
            "Let headings go down one level at a time",
            "Below an `<h2>` stands an `<h3>`; choose the size by CSS.",
        ),
        "page-has-heading-one": Remedy(
            "Give the pages a first heading",
            "Say in one `<h1>` what the page is about.",
        ),
        "empty-heading": Remedy(
            "Fill or remove the empty headings",
            "A heading without a text is read as a place without a name.",
        ),
        "landmark-one-main": Remedy(
            "Mark the pages' main part",
            "Put what the page is about into one `<main>`.",
        ),
        "region": Remedy(
            "Put all content into landmarks",
            "Wrap it in `<header>`, `<nav>`, `<main>` or `<footer>`, whichever it is.",
        ),
        "bypass": Remedy(
            "Let people skip what stands on every page",
            'Begin with `<a href="#main">Skip to content</a>`, and mark `<main id="main">`.',
        ),
        "skip-link": Remedy(
            "Let the skip link lead somewhere",
            'Give the place the name that it links: `<main id="main" tabindex="-1">`.',
        ),
        "frame-focusable-content": Remedy(
            "Let the keyboard into the frames",
            'Remove `tabindex="-1"` from the `<iframe>`.',
        ),
        "frame-title-unique": Remedy(
            "Give each frame a title of its own",
            'Say how they differ: `title="Map of Oslo"` and `title="Map of Bergen"`.',
        ),
        "html-xml-lang-mismatch": Remedy(
            "Name one language of the page",
            "Let `lang` and `xml:lang` say the same, or leave out the latter.",
        ),
        "meta-refresh": Remedy(
            "Do not reload the page by itself",
            'Remove `<meta http-equiv="refresh">`; redirect on the server instead.',
        ),
    }
)


SCRIPTS: Mapping[str, Remedy] = MappingProxyType(
    {
        "uncaught-error": Remedy(
            "Fix the errors that scripts throw",
            "Open the script at the line in the evidence. What is missing there is often an "
            "element or an answer that this page does not have: test for it first, as in "
            "`if (menu) menu.addEventListener(…)`.",
        ),
        "unhandled-rejection": Remedy(
            "Handle the promises that are rejected",
            "Await the promise in `try { … } catch (error) { … }`, or end its chain in "
            "`.catch(…)`, and show people what went wrong.",
        ),
        "console-error": Remedy(
            "Look at what scripts write to console.error",
            "Put its cause right; what is no error belongs into `console.warn` or `console.info`.",
        ),
        "failed-request": Remedy(
            "Deliver the files and answers that pages ask for",
            "Deploy the file under this address, or correct the address in the page or script "
            "that asks for it.",
        ),
        "page-crash": Remedy(
            "Find out what takes the page down",
            "Load the page with the browser's performance and memory tools open: an endless loop "
            "or a list that never stops growing is the usual cause.",
        ),
        "vendor-fault": Remedy(
            "Look at the third party's script",
            "Load its newest version, ask the vendor, or leave it out: you cannot repair it, and "
            "your page must work without it.",
        ),
        "page-not-tested": Remedy(
            "Make the page load",
            "Open it in a browser: what it says there is what people see.",
        ),
        "blank-page": Remedy(
            "Find out why the page stays empty",
            "Open it in a browser: is the template empty, is all of it hidden by a style, or has "
            "the script that builds it not run? Where it shows a frame or a video alone, all is "
            "well.",
        ),
    }
)


__all__ = ["REMEDIES", "Remedy", "remedy"]
REMEDIES: Mapping[str, Remedy] = MappingProxyType(
    {**SCRIPTS, **LINKS, **FORMS, **IMAGES, **PAGE, **CONTENT, **CONTROLS, **ARIA}
)
_UNKNOWN = Remedy(
    "Put the marked elements right",
    "The reference says what the rule asks for and shows examples.",
)


def remedy(rule: str) -> Remedy:
    """Of ``rule``; one that says where to read on for what is not known here."""
    return REMEDIES.get(rule, _UNKNOWN)

"""The page as a whole: its title, language, headings, landmarks and frames."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.remedy import Remedy

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

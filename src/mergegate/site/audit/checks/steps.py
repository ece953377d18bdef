"""What can be done about issues: one step a theme, in the words of an order."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Step:
    """Something one person can do in one go."""

    key: str
    """Permanent: the id of the recommendation is made of it."""
    title: str
    rules: tuple[str, ...]
    """The audits that it puts right; one that ends in ``*`` stands for all that begin so."""
    how: str
    """One or two sentences."""

    def covers(self, rule: str) -> bool:
        """Whether it puts an issue of ``rule`` right."""
        return any(_matches(pattern, rule) for pattern in self.rules)


def _matches(pattern: str, rule: str) -> bool:
    return rule.startswith(pattern[:-1]) if pattern.endswith("*") else rule == pattern


_PERFORMANCE = (
    Step(
        "images",
        "Serve images in the size they are shown and in a modern format",
        ("image-delivery-insight",),
        "Make AVIF or WebP copies in two or three widths and let the browser choose with srcset.",
    ),
    Step(
        "largest-image",
        "Let the browser find the largest image at once",
        ("lcp-discovery-insight",),
        "It belongs into the HTML, with fetchpriority=high and without loading=lazy.",
    ),
    Step(
        "render-blocking",
        "Take scripts and style sheets out of the way of the first paint",
        ("render-blocking-insight",),
        "Defer scripts, and inline the few rules that the first screen needs.",
    ),
    Step(
        "request-chains",
        "Shorten the chains of critical requests",
        ("network-dependency-tree-insight",),
        "Name in the HTML what is now found only in a style sheet or script: preload fonts, "
        "connect early to other hosts.",
    ),
    Step(
        "javascript-bytes",
        "Send less JavaScript",
        (
            *("unused-javascript", "unminified-javascript", "legacy-javascript-insight"),
            "duplicated-javascript-insight",
        ),
        "Split the bundle by page, load what is not needed at once with import(), minify it, and "
        "build for current browsers.",
    ),
    Step(
        "css-bytes",
        "Send less CSS",
        ("unused-css-rules", "unminified-css", "slow-css-selector-insight"),
        "Minify it, and split what other pages need into files of their own.",
    ),
    Step(
        "main-thread",
        "Shorten the work of scripts on the main thread",
        ("bootup-time", "mainthread-work-breakdown", "forced-reflow-insight"),
        "Load what can wait after the page, and break tasks of more than 50 ms into pieces.",
    ),
    Step(
        "third-parties",
        "Load third parties later, or lighter",
        ("third-parties-insight",),
        "Drop those that nobody uses, and load the others when they are needed.",
    ),
    Step(
        "layout-shift",
        "Reserve the room of what arrives late",
        ("cls-culprits-insight", "unsized-images"),
        "Give images, frames and advertisements their width and height, and put nothing above "
        "what is already there.",
    ),
    Step(
        "animations",
        "Animate transform and opacity alone",
        ("non-composited-animations",),
        "Other properties make the browser lay out or paint each frame on the main thread.",
    ),
    Step(
        "fonts",
        "Show text before its font has loaded",
        ("font-display-insight",),
        "Set font-display: swap, or optional where a late change of font disturbs.",
    ),
    Step(
        "document",
        "Deliver the document faster",
        ("document-latency-insight", "server-response-time", "redirects"),
        "Link to the final address, compress text, and keep the page in a cache near the reader.",
    ),
    Step(
        "caching",
        "Let browsers keep files that do not change",
        ("cache-insight",),
        "Put a hash of the content into file names and allow a year. First visits, and so the "
        "score, stay as they are; later visits need not load the files again.",
    ),
    Step(
        "http2",
        "Serve files over HTTP/2 or HTTP/3",
        ("modern-http-insight",),
        "One connection then carries many requests at a time.",
    ),
    Step(
        "dom-size",
        "Make the page smaller",
        ("dom-size-insight",),
        "Page or virtualise long lists, and leave out wrappers that nothing needs.",
    ),
    Step(
        "viewport",
        "Set up the viewport for mobile devices",
        ("viewport-insight",),
        "Without it a phone lays the page out for a desktop, and taps respond late.",
    ),
    Step(
        "back-forward",
        "Let the browser keep the page for the way back",
        ("bf-cache",),
        "Remove what prevents it, most often an unload handler or Cache-Control: no-store.",
    ),
    Step(
        "weight",
        "Lighten the page",
        ("total-byte-weight",),
        "A few files decide; those that nothing needs go first.",
    ),
    Step(
        "interactions",
        "Answer interactions sooner",
        ("inp-breakdown-insight", "interaction-to-next-paint"),
        "Show the result first, and do the rest of the work after the next paint.",
    ),
)
_METRICS = (
    Step(
        "metric-tbt",
        "Find what blocks the main thread",
        ("total-blocking-time",),
        "Record the load in the performance panel of the browser and split the longest tasks.",
    ),
    Step(
        "metric-lcp",
        "Find what delays the largest paint",
        ("largest-contentful-paint",),
        "Look at the first answer of the server, at what blocks rendering, and at the element "
        "itself.",
    ),
    Step(
        "metric-cls",
        "Find what moves while the page loads",
        ("cumulative-layout-shift",),
        "Reserve room for all that arrives late.",
    ),
    Step(
        "metric-first-paint",
        "Show something earlier",
        ("first-contentful-paint", "speed-index"),
        "Look at the first answer of the server and at what blocks rendering.",
    ),
)
"""For metrics that no step above explains."""
_ACCESSIBILITY = (
    Step(
        "contrast",
        "Raise the contrast of text",
        ("color-contrast", "link-in-text-block"),
        "Text needs a ratio of 4.5 to 1, large text 3 to 1; links in text need more than colour.",
    ),
    Step(
        "alternatives",
        "Describe images to those who do not see them",
        ("image-alt", "input-image-alt", "object-alt", "svg-img-alt", "image-redundant-alt"),
        "Say in alt what the image tells; leave alt empty where it only decorates.",
    ),
    Step(
        "labels",
        "Label every form field",
        ("label", "select-name", "form-field-multiple-labels", "autocomplete-valid"),
        "Tie a label element to each field with for and id.",
    ),
    Step(
        "names",
        "Name every button, link and frame",
        (
            *("button-name", "link-name", "input-button-name", "frame-title", "aria-command-name"),
            *("aria-dialog-name", "aria-input-field-name"),
            *("aria-meter-name", "aria-progressbar-name", "aria-toggle-field-name"),
            *("aria-tooltip-name", "aria-treeitem-name", "identical-links-same-purpose"),
        ),
        "Give it visible text, or aria-label where there is only a symbol.",
    ),
    Step(
        "aria",
        "Put ARIA roles and attributes right",
        ("aria-*", "duplicate-id-aria", "presentation-role-conflict"),
        "Prefer the element that has the role by nature; remove what the role does not know.",
    ),
    Step(
        "headings",
        "Put the headings in order",
        ("heading-order", "empty-heading"),
        "Go down one level at a time; choose the size with CSS.",
    ),
    Step(
        "language",
        "Say which language the page is in",
        ("html-has-lang", "html-lang-valid", "html-xml-lang-mismatch", "valid-lang"),
        "Screen readers choose their voice by it.",
    ),
    Step(
        "keyboard",
        "Make the page easy to move through",
        ("bypass", "skip-link", "tabindex", "accesskeys", "landmark-one-main"),
        "One main element, a link that skips to it, and the natural tab order.",
    ),
    Step(
        "touch",
        "Make touch targets at least 24 by 24 pixels",
        ("target-size",),
        "Padding counts; so does free space around a smaller one.",
    ),
    Step(
        "zoom",
        "Let people zoom",
        ("meta-viewport", "meta-refresh"),
        "Remove user-scalable=no and maximum-scale, and reload nothing by itself.",
    ),
    Step(
        "tables-lists",
        "Build lists and tables from the elements that belong together",
        (
            *("list", "listitem", "definition-list", "dlitem", "td-headers-attr"),
            *("th-has-data-cells", "table-duplicate-name"),
        ),
        "Only li in ul and ol, only dt and dd in dl, and headers that have cells.",
    ),
    Step(
        "captions",
        "Caption videos",
        ("video-caption",),
        "Add a track element with kind=captions.",
    ),
)
_SEO = (
    Step(
        "indexing",
        "Let search engines into the page",
        ("is-crawlable", "http-status-code", "robots-txt"),
        "If it is a preview that nobody should find, this is as it should be.",
    ),
    Step(
        "title",
        "Give the page a title",
        ("document-title",),
        "It names the page in search results, tabs and screen readers.",
    ),
    Step(
        "description",
        "Describe the page in a sentence",
        ("meta-description",),
        "Search engines may show it beneath the title.",
    ),
    Step(
        "links",
        "Make links that can be followed and understood",
        ("crawlable-anchors", "link-text"),
        "A real href, and text that says where it leads; what acts is a button.",
    ),
    Step(
        "canonical",
        "Put canonical address and languages right",
        ("canonical", "hreflang"),
        "One absolute address that answers, and language codes that exist.",
    ),
)
_BEST_PRACTICES = (
    Step(
        "https",
        "Load everything over HTTPS",
        ("is-on-https", "redirects-http"),
        "Redirect HTTP to HTTPS, and have no file come over plain HTTP.",
    ),
    Step(
        "console",
        "Put right what the browser complains about",
        ("errors-in-console", "inspector-issues"),
        "Each message in the console is a request or script that failed.",
    ),
    Step(
        "deprecated",
        "Replace deprecated interfaces",
        ("deprecations",),
        "Browsers will remove them.",
    ),
    Step(
        "security-headers",
        "Send the security headers",
        ("csp-xss", "has-hsts", "clickjacking-mitigation", "origin-isolation", "trusted-types-xss"),
        "Begin with a policy that only reports, and enforce it once it is quiet.",
    ),
    Step(
        "third-party-cookies",
        "Do without third-party cookies",
        ("third-party-cookies",),
        "Browsers block them more and more.",
    ),
    Step(
        "document-head",
        "Declare document type and encoding first",
        ("doctype", "charset"),
        "Without them browsers fall back to old behaviour or guess.",
    ),
    Step(
        "image-shape",
        "Show images sharp and in their own proportions",
        ("image-aspect-ratio", "image-size-responsive"),
        "Keep width to height as in the file, and have a larger file for dense screens.",
    ),
    Step(
        "prompts",
        "Ask for nothing while the page loads",
        ("geolocation-on-start", "notification-on-start"),
        "Ask when somebody does what needs it.",
    ),
    Step(
        "pasting",
        "Let people paste",
        ("paste-preventing-inputs",),
        "Password managers need it.",
    ),
    Step(
        "source-maps",
        "Deploy source maps, or keep them where your error reports are read",
        ("valid-source-maps",),
        "They turn the place of an error in a bundle into one in the source.",
    ),
)
STEPS: tuple[Step, ...] = (
    *_PERFORMANCE,
    *_METRICS,
    *_ACCESSIBILITY,
    *_SEO,
    *_BEST_PRACTICES,
)
"""An issue belongs to the first step that covers it."""
EXPLAINED_BY: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "FCP": frozenset({"first-contentful-paint", "speed-index"}),
        "LCP": frozenset({"largest-contentful-paint"}),
        "TBT": frozenset({"total-blocking-time"}),
        "CLS": frozenset({"cumulative-layout-shift"}),
        "INP": frozenset({"interaction-to-next-paint"}),
    }
)
"""The metrics that a step with savings of that name makes better."""

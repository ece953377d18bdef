"""Every rule that a journey looks at has a remedy of our own."""

import pytest

from mergegate.site.browser_test.checks.suggest import REMEDIES, remedy

# axe-core 4.14.1: rules of WCAG 2 A and AA that run by default, and the advice of the journey.
_RULES = [
    "area-alt",
    "aria-allowed-attr",
    "aria-braille-equivalent",
    "aria-command-name",
    "aria-conditional-attr",
    "aria-deprecated-role",
    "aria-hidden-body",
    "aria-hidden-focus",
    "aria-input-field-name",
    "aria-meter-name",
    "aria-progressbar-name",
    "aria-prohibited-attr",
    "aria-required-attr",
    "aria-required-children",
    "aria-required-parent",
    "aria-roles",
    "aria-tab-name",
    "aria-toggle-field-name",
    "aria-tooltip-name",
    "aria-valid-attr",
    "aria-valid-attr-value",
    "autocomplete-valid",
    "avoid-inline-spacing",
    "blink",
    "button-name",
    "bypass",
    "color-contrast",
    "definition-list",
    "dlitem",
    "document-title",
    "duplicate-id-aria",
    "empty-heading",
    "form-field-multiple-labels",
    "frame-focusable-content",
    "frame-title",
    "frame-title-unique",
    "heading-order",
    "html-has-lang",
    "html-lang-valid",
    "html-xml-lang-mismatch",
    "image-alt",
    "image-redundant-alt",
    "input-button-name",
    "input-image-alt",
    "label",
    "label-content-name-mismatch",
    "label-title-only",
    "link-in-text-block",
    "link-name",
    "list",
    "listitem",
    "marquee",
    "meta-refresh",
    "meta-viewport",
    "nested-interactive",
    "no-autoplay-audio",
    "object-alt",
    "role-img-alt",
    "scrollable-region-focusable",
    "select-name",
    "server-side-image-map",
    "summary-name",
    "svg-img-alt",
    "target-size",
    "td-headers-attr",
    "th-has-data-cells",
    "valid-lang",
    "video-caption",
]

_OWN = [
    "blank-page",
    "blocked-by-policy",
    "broken-image",
    "browser-message",
    "console-error",
    "dead-anchor",
    "dead-link",
    "failed-connection",
    "failed-request",
    "flaky-link",
    "outside-links-not-checked",
    "page-crash",
    "page-not-tested",
    "soft-404",
    "uncaught-error",
    "unhandled-rejection",
    "vendor-fault",
    "wrong-type",
]
# Best practices of axe-core that a journey does not ask for today.
_NOT_ASKED = [
    "aria-dialog-name",
    "landmark-one-main",
    "page-has-heading-one",
    "region",
    "skip-link",
    "tabindex",
]


@pytest.mark.parametrize("rule", _RULES)
def test_each_rule_has_a_remedy(rule: str) -> None:
    assert rule in REMEDIES


@pytest.mark.parametrize("rule", sorted(REMEDIES))
def test_a_remedy_is_an_order_and_sentences(rule: str) -> None:
    known = remedy(rule)
    assert known.order[0].isupper() and not known.order.endswith(".")
    assert known.text[0].isupper() and known.text.endswith(".")


def test_an_unknown_rule_is_sent_to_its_reference() -> None:
    assert remedy("rule-of-tomorrow").text.startswith("The reference says")


def test_each_rule_of_our_own_has_a_remedy_and_no_remedy_is_without_a_rule() -> None:
    assert set(REMEDIES) == {*_RULES, *_OWN, *_NOT_ASKED}

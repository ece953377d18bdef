"""Fields of forms."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.remedy import Remedy

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

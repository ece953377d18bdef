"""Roles and attributes of ARIA."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.remedy import Remedy

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

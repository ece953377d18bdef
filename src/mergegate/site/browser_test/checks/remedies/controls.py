"""What is pressed and reached by the keyboard."""

from collections.abc import Mapping
from types import MappingProxyType

from mergegate.site.browser_test.checks.remedies.remedy import Remedy

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

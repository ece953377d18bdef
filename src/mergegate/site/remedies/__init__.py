"""Issues → code to paste, written for what the site is built with."""

from mergegate.site.remedies.choose import fixes, with_fixes

__all__ = ["fixes", "with_fixes"]

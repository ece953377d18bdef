"""What Lighthouse's answers mean: issues, recommendations, and code that puts them right.

No check of the repository is registered here; the website audit calls these by name.
"""

from mergegate.site.audit.checks.judge import issues
from mergegate.site.audit.checks.recommend import recommendations
from mergegate.site.remedies import fixes, with_fixes

__all__ = ["fixes", "issues", "recommendations", "with_fixes"]

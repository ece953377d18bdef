"""What Lighthouse's answers mean: issues, recommendations, and code that puts them right.

No check of the repository is registered here; the website audit calls these by name.
"""

from mergegate.checks.audit.judge import issues
from mergegate.checks.audit.mend import fixes, with_fixes
from mergegate.checks.audit.recommend import recommendations

__all__ = ["fixes", "issues", "recommendations", "with_fixes"]

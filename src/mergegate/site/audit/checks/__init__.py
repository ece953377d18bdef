"""What Lighthouse's answers mean: issues and recommendations.

No check of the repository is registered here; the website audit calls these by name.
"""

from mergegate.site.audit.checks.judge import issues
from mergegate.site.audit.checks.recommend import recommendations

__all__ = ["issues", "recommendations"]

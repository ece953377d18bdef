"""GitHub: one repository for each way to go wrong, and the near-misses."""

from tests.doctor.predict.github_cases import checks, forks, permissions, running

HITS = (*forks.HITS, *checks.HITS, *permissions.HITS, *running.HITS)
NEAR_MISSES = (
    *forks.NEAR_MISSES,
    *checks.NEAR_MISSES,
    *permissions.NEAR_MISSES,
    *running.NEAR_MISSES,
)

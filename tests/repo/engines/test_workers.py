"""Each of our workers is an interpreter that starts anew: it loads what it needs and no more."""

import subprocess
import sys

import pytest

_HEAVY = frozenset({"cryptography", "httpx", "pydantic", "rich", "playwright"})


@pytest.mark.parametrize(
    "worker",
    [
        "site.seo.article_worker",
        "repo.engines.lizard_worker",
        "site.parsing",
        "secrets.worker",
        "site.security.gather.worker",
    ],
)
def test_a_worker_loads_nothing_of_those_who_start_it(worker: str) -> None:
    told = f"import sys, mergegate.{worker}; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-I", "-c", told], capture_output=True, text=True, check=True
    )
    assert not _HEAVY & set(done.stdout.split())

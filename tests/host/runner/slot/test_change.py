"""The child that answers a change, before it has anything to scan."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mergegate.core.change import Provider
from mergegate.core.plans import Tool
from mergegate.forges.deliveries import Heard, ScanRequest
from mergegate.forges.hooks import read
from mergegate.host.order import AnswerTarget, ScanOrder, written
from tests.forges.hooks import saying

TOKEN = "tok-canary"
NOWHERE = "https://127.0.0.1:1"


def request(body: Any, **headers: str) -> dict[str, Any]:
    found = read(Provider.GITLAB, saying.delivery(body, **headers))
    assert isinstance(found, Heard)
    return ScanRequest.of("hook_1", found).model_dump(mode="json", exclude_defaults=True)


REQUEST = request(saying.merge_request(), x_gitlab_event="Merge Request Hook")
ORDER = request(saying.note(), x_gitlab_event="Note Hook")
ANSWERING = AnswerTarget(token=TOKEN, api_url=f"{NOWHERE}/api/v4", server_url=NOWHERE, sequence=1)


@pytest.mark.parametrize(
    ("asked", "answering", "code"),
    [
        (REQUEST, None, "TARGET_NOT_ANALYSABLE"),
        (REQUEST, ANSWERING, ""),
        (ORDER, ANSWERING, "PUBLISHING_FAILED"),
    ],
)
def test_a_forge_that_does_not_answer_is_told_nothing_and_the_token_is_not_told(
    tmp_path: Path, asked: dict[str, Any], answering: AnswerTarget | None, code: str
) -> None:
    """That a scan begins may go unseen: then it is fetched all the same."""
    order = ScanOrder(id="s", tool=Tool.CHANGE, request=asked, created_at="", answering=answering)
    done = subprocess.run(
        [sys.executable, "-I", "-m", "mergegate.host.runner.slot"],
        input=written(order) + b"\n",
        capture_output=True,
        check=True,
        cwd=tmp_path,
        timeout=120,
    )
    assert json.loads(done.stdout).get("error", {}).get("code", "") == code
    assert TOKEN.encode() not in done.stdout + done.stderr

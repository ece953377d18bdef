"""Deliveries as the three forges make them."""

import base64
import datetime as dt
import hashlib
import hmac
import json
from collections.abc import Mapping
from typing import Any

from mergegate.forges.deliveries import Delivery

NOW = dt.datetime(2026, 3, 4, 12, tzinfo=dt.UTC)
SECRET = b"correct horse battery staple"
HEAD, BASE = "a" * 40, "b" * 40


def delivery(body: Any, **headers: str) -> Delivery:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Delivery({name.replace("_", "-"): said for name, said in headers.items()}, content)


def hub(content: bytes, secret: bytes = SECRET) -> str:
    return f"sha256={hmac.new(secret, content, hashlib.sha256).hexdigest()}"


def standard(
    content: bytes, *, secret: bytes = SECRET, id: str = "msg_1", at: dt.datetime = NOW
) -> Mapping[str, str]:
    """The headers of the Standard Webhooks scheme."""
    stamp = str(int(at.timestamp()))
    signed = hmac.new(secret, f"{id}.{stamp}.".encode() + content, hashlib.sha256).digest()
    return {
        "webhook_id": id,
        "webhook_timestamp": stamp,
        "webhook_signature": f"v1,{base64.b64encode(signed).decode()}",
    }


GITHUB_REPO = {"full_name": "acme/shop", "default_branch": "main"}


def pull_request(action: str = "opened", **more: Any) -> dict[str, Any]:
    side = {"sha": HEAD, "ref": "topic", "repo": {"full_name": "acme/shop"}}
    base = {"sha": BASE, "ref": "main", "repo": {"full_name": "acme/shop"}}
    return {
        "action": action,
        "repository": GITHUB_REPO,
        "installation": {"id": 77},
        "pull_request": {"number": 7, "head": side, "base": base},
        **more,
    }


def suite(action: str = "rerequested", head: str = HEAD) -> dict[str, Any]:
    pull = {
        "number": 7,
        "head": {"sha": HEAD, "ref": "topic"},
        "base": {"sha": BASE, "ref": "main"},
    }
    return {
        "action": action,
        "repository": GITHUB_REPO,
        "installation": {"id": 77},
        "check_suite": {"head_sha": head, "head_branch": "topic", "pull_requests": [pull]},
    }


def merge_request(action: str = "open", **attributes: Any) -> dict[str, Any]:
    return {
        "object_kind": "merge_request",
        "object_attributes": {
            "iid": 7,
            "source_branch": "topic",
            "target_branch": "main",
            "source_project_id": 3,
            "target_project_id": 3,
            "last_commit": {"id": HEAD},
            "target": {"path_with_namespace": "acme/team/shop"},
            "action": action,
            **attributes,
        },
    }


def note(**attributes: Any) -> dict[str, Any]:
    said = merge_request()["object_attributes"]
    return {
        "object_kind": "note",
        "user": {"username": "ada"},
        "object_attributes": {
            "id": 5,
            "note": "/mergegate rescan",
            "noteable_type": "MergeRequest",
            "created_at": "2026-03-04T12:00:00Z",
            "action": "create",
            "system": False,
            **attributes,
        },
        "merge_request": said,
    }


def bitbucket_pull(**more: Any) -> dict[str, Any]:
    home = {"full_name": "acme/shop"}
    return {
        "repository": home,
        "pullrequest": {
            "id": 7,
            "source": {
                "commit": {"hash": "a" * 12},
                "branch": {"name": "topic"},
                "repository": home,
            },
            "destination": {
                "commit": {"hash": "b" * 12},
                "branch": {"name": "main"},
                "repository": home,
            },
        },
        **more,
    }

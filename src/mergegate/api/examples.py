"""What requests and answers look like, for the reference."""

from collections.abc import Mapping
from typing import Any

_BUDGET: Mapping[str, Any] = {
    "version": 1,
    "device": "mobile",
    "metrics": {"lcp": 2750, "tbt": 220, "cls": 0.06, "fcp": 1980},
    "transferBytes": 563200,
    "scriptBytes": 194560,
    "requestCount": 44,
    "vendors": ["Example Analytics"],
}
_CANCELLED: Mapping[str, Any] = {
    "status": "failed",
    "error": {"code": "CANCELLED", "detail": "The scan was cancelled."},
    "createdAt": "2026-03-01T09:30:00.000Z",
    "completedAt": "2026-03-01T09:30:04.000Z",
}
_STARTED = {"scanId": "rs_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f"}

BY_NAME: Mapping[str, Any] = {
    "startRepositoryScan": {"owner": "octo-org", "repo": "hello", "branch": "main"},
    "startRepositoryScan200": _STARTED,
    "cancelRepositoryScan200": {"id": _STARTED["scanId"], **_CANCELLED},
    "cancelSeoScan200": {"id": "seo_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", **_CANCELLED},
    "cancelAudit200": {"id": "aud_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", **_CANCELLED},
    "cancelBrowserTest200": {"id": "bt_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", **_CANCELLED},
    "cancelSecurityScan200": {"id": "sec_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", **_CANCELLED},
    "getRepositoryResult200": {
        "id": _STARTED["scanId"],
        "status": "running",
        "target": {"provider": "github", "owner": "octo-org", "repo": "hello", "branch": "main"},
        "createdAt": "2026-03-01T09:30:00.000Z",
        "url": None,
    },
    "startSeoScan": {"url": "https://example.org/", "keyword": "green tea, sencha"},
    "startSeoScan200": {"scanId": "seo_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f"},
    "getSeoResult200": {
        "id": "seo_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f",
        "status": "running",
        "url": "https://example.org/",
        "createdAt": "2026-03-01T09:30:00.000Z",
    },
    "audit": {"url": "https://example.org/", "budget": _BUDGET},
    "audit200": {
        "reportId": "aud_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f",
        "scores": {"performance": 93, "seo": 100, "accessibility": 96, "bestPractices": 100},
        "issues": [],
        "fixes": [],
        "aiSummary": "The page is fast; nothing stands out.",
    },
    "getAudit202": {"id": "aud_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", "status": "running"},
    "runBrowserTest": {"url": "https://example.org/"},
    "getBrowserTest202": {"id": "bt_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", "status": "running"},
    "runSecurityScan": {"url": "https://example.org/"},
    "getSecurityScan202": {"id": "sec_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", "status": "running"},
}
"""The name of an operation → its body; with a status → that answer."""

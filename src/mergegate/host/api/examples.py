"""What requests and answers look like, for the reference."""

import json
from collections.abc import Mapping
from typing import Any

from mergegate import __version__
from mergegate.host.api.responses import nested

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
_FIGURES: Mapping[str, Any] = {
    "lcp": 2500,
    "tbt": 200,
    "cls": 0.05,
    "fcp": 1800,
    "transferBytes": 512000,
    "scriptBytes": 176872,
    "requestCount": 40,
}
_AUDIT: Mapping[str, Any] = {
    "reportId": "aud_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f",
    "url": "https://example.org/",
    "performanceScore": 93,
    "seoScore": 100,
    "accessibilityScore": 96,
    "bestPracticesScore": 100,
    "issues": [],
    "recommendations": [],
    "fixes": [],
    "aiSummary": "The page is fast; nothing stands out.",
    "techStack": [],
    "perfBudget": _BUDGET,
    "budgetViolations": [],
    "summarySource": "template",
    "finalUrl": "https://example.org/",
    "device": "mobile",
    "throttling": "simulate",
    "runs": 1,
    "metrics": _FIGURES,
    "scoreRanges": {},
    "spread": None,
    "violationDetails": [],
    "comparison": None,
    "vendors": [
        {
            "name": "Example Analytics",
            "category": "analytics",
            "homepage": "https://example.com/",
            "requests": 1,
            "transferBytes": 20480,
            "mainThreadMs": 12.0,
            "hosts": ["stats.example.com"],
        }
    ],
    "filmstrip": [],
    "waterfall": [],
    "warnings": [],
    "engines": [
        {
            "name": "lighthouse",
            "version": "13.5.0",
            "status": "ok",
            "durationMs": 19_800,
            "files": 0,
            "reason": "",
            "remedy": "",
        }
    ],
    "createdAt": "2026-03-01T09:30:00.000Z",
    "completedAt": "2026-03-01T09:30:21.000Z",
    "toolVersion": __version__,
}
_AUDITS = {"flat": _AUDIT, "nested": json.loads(nested(json.dumps(_AUDIT).encode()))}
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
    "getAudit202": {"id": "aud_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", "status": "running"},
    "runBrowserTest": {"url": "https://example.org/"},
    "getBrowserTest202": {"id": "bt_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", "status": "running"},
    "runSecurityScan": {"url": "https://example.org/"},
    "getSecurityScan202": {"id": "sec_01jkm0v4t85x3qz7c9r2n6w8ye4h1b5d0f", "status": "running"},
}
"""The name of an operation → its body; with a status → that answer."""

SEVERAL: Mapping[str, Mapping[str, Any]] = {"audit200": _AUDITS, "getAudit200": _AUDITS}
"""The same for answers of several shapes: a word for each, the usual one first."""

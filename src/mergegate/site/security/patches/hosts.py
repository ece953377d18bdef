"""Hosts and networks that serve what was built."""

import json
from collections.abc import Sequence

from mergegate.site.security.patches.syntax import Header, Syntax, quoted


def _vercel(headers: Sequence[Header]) -> str:
    """See https://vercel.com/docs/project-configuration#headers."""
    pairs = [{"key": name, "value": value} for name, value in headers]
    return json.dumps({"headers": [{"source": "/(.*)", "headers": pairs}]}, indent=2)


def _headers_file(headers: Sequence[Header]) -> str:
    """Return a file ``_headers``, as Netlify and Cloudflare Pages document it alike."""
    return "\n".join(["/*", *(f"  {name}: {value}" for name, value in headers)])


def _cloudfront(headers: Sequence[Header]) -> str:
    """See https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/."""
    lines = [
        f"  headers[{quoted(name.lower())}] = {{ value: {quoted(value)} }};"
        for name, value in headers
    ]
    return "\n".join(
        [
            "// a CloudFront function for the viewer response",
            *("function handler(event) {", "  var headers = event.response.headers;", *lines),
            *("  return event.response;", "}"),
        ]
    )


HOSTS = (
    Syntax(
        product="Vercel",
        language="json",
        technologies=frozenset({"Vercel"}),
        headers=_vercel,
    ),
    Syntax(
        product="Netlify",
        language="text",
        technologies=frozenset({"Netlify"}),
        headers=_headers_file,
    ),
    Syntax(
        product="Cloudflare Pages",
        language="text",
        technologies=frozenset({"Cloudflare Pages"}),
        headers=_headers_file,
    ),
    Syntax(
        product="Amazon CloudFront",
        language="js",
        technologies=frozenset({"Amazon CloudFront", "Amazon S3"}),
        headers=_cloudfront,
    ),
)

"""Google's Search Console API v1 (revision 20260805), as far as it is of use.

Three methods: ``sites.list``, ``searchanalytics.query`` and ``urlInspection.index.inspect``. What
they describe and we do not read is passed over.
"""

import contextlib
import time
from collections.abc import Mapping
from typing import TypeVar
from urllib.parse import quote

import httpx
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.alias_generators import to_camel

_MOST_ROWS = 100
_MOST_BYTES = 4 * 1024 * 1024
_REFUSALS = {
    400: "Google does not accept the question",
    401: "Google does not accept the access token: it has expired, or is none",
    403: "the account may not read this, or the Search Console API is off in its project",
    404: "Google does not know the property",
    429: "the account has asked Google too often today",
}
_TOO_LATE = "Google does not answer in time"
_Shape = TypeVar("_Shape", bound=BaseModel)


class _Told(BaseModel):
    """Fields that Google adds are no concern of ours; what is absent is empty."""

    model_config = ConfigDict(
        frozen=True, extra="ignore", allow_inf_nan=False, alias_generator=to_camel
    )


class Token(_Told):
    """What the token endpoint answers (RFC 6749, 5.1)."""

    access_token: str = Field(
        alias="access_token", min_length=8, max_length=8192, pattern=r"^[!-~]+$"
    )


class Site(_Told):
    """``WmxSite``: a property."""

    site_url: str = ""
    permission_level: str = ""


class _Sites(_Told):
    site_entry: tuple[Site, ...] = ()


class Row(_Told):
    """``ApiDataRow``."""

    keys: tuple[str, ...] = ()
    clicks: float = Field(default=0.0, ge=0)
    impressions: float = Field(default=0.0, ge=0)
    ctr: float = Field(default=0.0, ge=0, le=1)
    position: float = Field(default=0.0, ge=0)


class _Rows(_Told):
    rows: tuple[Row, ...] = ()


class IndexStatus(_Told):
    """``IndexStatusInspectionResult``."""

    verdict: str = ""
    coverage_state: str = ""
    indexing_state: str = ""
    robots_txt_state: str = ""
    page_fetch_state: str = ""
    google_canonical: str = ""
    user_canonical: str = ""
    last_crawl_time: str = ""


class _Inspected(_Told):
    index_status_result: IndexStatus = IndexStatus()


class _Inspection(_Told):
    inspection_result: _Inspected = _Inspected()


class Unanswered(Exception):
    """Google does not tell; never leaves the modules of the console."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
        """One clause of our own words: what Google says may quote what we sent."""


class Refused(Unanswered):
    """Google answers that it does not want to."""


class Asker:
    """Sends requests until the time is over, and reads answers within bounds."""

    def __init__(self, client: httpx.Client, until: float) -> None:
        self._client = client
        self._until = until

    def __call__(
        self,
        method: str,
        url: str,
        shape: type[_Shape],
        *,
        token: str = "",
        form: Mapping[str, str] | None = None,
        question: Mapping[str, object] | None = None,
    ) -> _Shape:
        """What ``url`` answers, in its ``shape``; raises Unanswered."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        left = self._left_s()
        request = self._client.build_request(
            method, url, headers=headers, data=form, json=question, timeout=left
        )
        try:
            return shape.model_validate_json(self._body(request))
        except ValidationError as error:
            raise Unanswered("Google answers in another shape than it describes") from error

    def _left_s(self) -> float:
        """Seconds until the time is over; raises Unanswered when it is."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise Unanswered(_TOO_LATE)
        return left

    def _body(self, request: httpx.Request) -> bytes:
        try:
            response = self._client.send(request, stream=True)
            with contextlib.closing(response):
                return self._read(response)
        except httpx.TimeoutException as error:
            raise Unanswered(_TOO_LATE) from error
        except (httpx.HTTPError, OSError) as error:
            raise Unanswered("Google cannot be reached") from error

    def _read(self, response: httpx.Response) -> bytes:
        if response.status_code != httpx.codes.OK:
            status = response.status_code
            reason = _REFUSALS.get(status, f"Google answers with status {status}")
            raise (Refused if status < 500 else Unanswered)(reason)
        body = bytearray()
        for piece in response.iter_bytes():
            body += piece
            self._left_s()
            if len(body) > _MOST_BYTES:
                raise Unanswered("Google's answer does not end")
        return bytes(body)


class Google:
    """The methods of the API that are of use."""

    def __init__(self, ask: Asker, base: str, token: str) -> None:
        self._ask = ask
        self._base = base
        self._token = token

    def sites(self) -> tuple[Site, ...]:
        """``sites.list``: every property of the account."""
        url = f"{self._base}/webmasters/v3/sites"
        return self._ask("GET", url, _Sites, token=self._token).site_entry

    def figures(
        self, site: str, page: str, days: tuple[str, str], *, by_query: bool
    ) -> tuple[Row, ...]:
        """``searchanalytics.query``: of one page, by what was searched for or all in one row."""
        question: dict[str, object] = {
            "startDate": days[0],
            "endDate": days[1],
            "dimensionFilterGroups": [
                {"filters": [{"dimension": "PAGE", "operator": "EQUALS", "expression": page}]}
            ],
            "rowLimit": _MOST_ROWS,
            **({"dimensions": ["QUERY"]} if by_query else {}),
        }
        path = f"webmasters/v3/sites/{quote(site, safe='')}/searchAnalytics/query"
        return self._post(path, question, _Rows).rows[:_MOST_ROWS]

    def index_status(self, site: str, page: str) -> IndexStatus:
        """``urlInspection.index.inspect``."""
        question = {"inspectionUrl": page, "siteUrl": site}
        answer = self._post("v1/urlInspection/index:inspect", question, _Inspection)
        return answer.inspection_result.index_status_result

    def _post(self, path: str, question: Mapping[str, object], shape: type[_Shape]) -> _Shape:
        url = f"{self._base}/{path}"
        return self._ask("POST", url, shape, token=self._token, question=question)

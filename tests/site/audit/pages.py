"""Measured pages for tests, by hand and at random."""

from hypothesis import strategies as st

from mergegate.sandbox.visit import Device, Throttling
from mergegate.site.audit.budget import (
    Figures,
    Key,
    Measured,
    Request,
    figures,
)

VENDORS = ("Ads", "Chat", "Fonts", "Maps", "Tags")


def some_figures(**other: float) -> Figures:
    plain: dict[str, float] = {
        "lcp": 2000,
        "tbt": 300,
        "cls": 0.1,
        "fcp": 1000,
        "transfer_bytes": 500_000,
        "script_bytes": 200_000,
        "request_count": 40,
    }
    values = plain | other
    return figures(lambda key: values[key.name.lower()])


def page(
    *requests: Request,
    vendors: tuple[str, ...] = (),
    device: Device = Device.MOBILE,
    of: Figures | None = None,
    **other: float,
) -> Measured:
    return Measured(
        device=device,
        throttling=Throttling.SIMULATE,
        figures=of or some_figures(**other),
        vendors=vendors,
        requests=requests,
    )


def script(url: str, transfer_bytes: int, vendor: str | None = None) -> Request:
    return Request(url, transfer_bytes, "script", vendor)


_time = st.floats(0, 1e7)
_size = st.integers(0, 2**40)
_figures = st.builds(
    Figures,
    lcp=_time,
    tbt=_time,
    cls=st.floats(0, 100),
    fcp=_time,
    transfer_bytes=_size,
    script_bytes=_size,
    request_count=_size,
)
_vendors = st.lists(st.sampled_from(VENDORS), max_size=8).map(tuple)
_requests = st.lists(
    st.builds(
        Request,
        url=st.sampled_from(
            ["https://example.org/a.js", "https://example.org/b.png", "data:,", "["]
        ),
        transfer_bytes=st.integers(0, 2**30),
        kind=st.sampled_from(["script", "image"]),
        vendor=st.none() | st.sampled_from(VENDORS),
    ),
    max_size=6,
).map(tuple)
pages = st.builds(
    Measured,
    device=st.just(Device.MOBILE),
    throttling=st.just(Throttling.SIMULATE),
    figures=_figures,
    vendors=_vendors,
    requests=_requests,
)
keys = st.sampled_from(list(Key))

"""Third parties: whose a request is, what they cost together, and what stands in for them."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from mergegate.site.audit.facts import LighthouseRun, Vendor


@dataclass(frozen=True, slots=True)
class Facade:
    """A light stand-in that loads the real thing when somebody wants it."""

    vendor: str
    """As third-party-web names the entity."""
    replacement: str
    """What to use instead; an npm package, or a technique in words."""
    framed: bool = False
    """Whether it comes as a frame: its scripts are not the page's to load later."""


FACADES: tuple[Facade, ...] = (
    Facade("YouTube", "lite-youtube-embed", framed=True),
    Facade("Vimeo", "lite-vimeo-embed", framed=True),
    Facade("Google Maps", "a static map that links", framed=True),
    Facade("Intercom", "a button that loads the messenger"),
    Facade("Zendesk", "a button that loads the messenger"),
    Facade("Drift", "a button that loads the messenger"),
    Facade("Crisp", "a button that loads the messenger"),
    Facade("Tawk.to", "a button that loads the messenger"),
    Facade("Freshchat", "a button that loads the messenger"),
    Facade("Hubspot", "a button that loads the messenger"),
    Facade("Facebook", "a link instead of the widget"),
    Facade("Twitter", "a quotation with a link instead of the widget"),
    Facade("Disqus", "a button that loads the comments"),
)
_FACADES: Mapping[str, Facade] = MappingProxyType({one.vendor.lower(): one for one in FACADES})


def facade(vendor: Vendor) -> Facade | None:
    """What can stand in for ``vendor``; None when nothing is known."""
    return _FACADES.get(vendor.name.lower())


def costliest(run: LighthouseRun) -> tuple[Vendor, ...]:
    """The third parties of ``run``, by main thread time, then by weight, then by name."""
    return tuple(
        sorted(run.vendors, key=lambda one: (-one.main_thread_ms, -one.transfer_bytes, one.name))
    )


def owners(run: LighthouseRun) -> Mapping[str, str]:
    """The vendor of each address that a third party served."""
    loads = ((one.url, one.vendor) for one in run.waterfall)
    requests = ((one.url, one.vendor) for one in run.measured.requests)
    return MappingProxyType({url: name for url, name in (*loads, *requests) if name})

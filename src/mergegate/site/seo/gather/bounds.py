"""How much of a site an analysis of one page takes."""

from dataclasses import dataclass

_MEBIBYTE = 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """Sizes in bytes, times in seconds."""

    total_s: float = 60.0
    """For all of it; what is not reached by then is noted."""
    answer_s: float = 15.0
    """For one address, redirects and body included."""
    robots_bytes: int = 1 * _MEBIBYTE
    """Fetched of robots.txt, to see by how much it is too long; read is what RFC 9309 asks for."""
    sitemap_bytes: int = 12 * _MEBIBYTE
    """Fetched of one sitemap, packed or not; the format allows 50 MiB."""
    sitemap_unpacked_bytes: int = 50 * _MEBIBYTE
    """Read of one, unpacked: what sitemaps.org allows."""
    sitemaps: int = 5
    """Of those that robots.txt names."""
    children: int = 20
    """Sitemaps of one index."""
    crawlers: int = 10
    """Names under which the page is asked for; 0 asks under none."""
    crawlers_at_once: int = 2
    crawler_bytes: int = 1 * _MEBIBYTE
    """Read of an answer to a crawler's name."""
    alternates: int = 8
    """Pages that hreflang names."""
    page_bytes: int = 2 * _MEBIBYTE
    """Read of another page, such as the canonical one."""
    image_bytes: int = 512 * 1024
    icon_bytes: int = 128 * 1024
    llms_bytes: int = 256 * 1024
    variants: int = 5
    article_bytes: int = 2 * _MEBIBYTE
    """Of HTML that extraction libraries get to read."""
    article_s: float = 20.0

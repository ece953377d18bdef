"""One page, loaded and judged by Lighthouse in a Node.js process that stays warm."""

from mergegate.site.audit.lighthouse.engine import Browser, Lighthouse, Loaded, Probe

__all__ = ["Browser", "Lighthouse", "Loaded", "Probe"]

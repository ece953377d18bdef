"""What one scan leaves to the next in the same child."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mergegate.site.audit.lighthouse import Lighthouse


class Warm:
    """Whatever takes long to start; ``held`` ends it with the child."""

    def __init__(self, held: ExitStack) -> None:
        self._held = held
        self._lighthouse: Lighthouse | None = None

    def lighthouse(self) -> "Lighthouse":
        """One that stays; raises EngineMissing."""
        from mergegate.site.audit.lighthouse import Lighthouse  # noqa: PLC0415 - most do without

        if self._lighthouse is None:
            self._lighthouse = self._held.enter_context(Lighthouse())
        return self._lighthouse

"""``mergegate doctor``: what a scan needs, and what will go wrong in CI."""

from mergegate.cli.doctor.command import doctor

__all__ = ["doctor"]

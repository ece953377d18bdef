"""The API's repository scan result: written, and read as hostile data."""

from mergegate.repo.wire.reading import LARGEST_BYTES, SectionReader, no_section, read
from mergegate.repo.wire.shapes import RepositoryResult, to_json

__all__ = ["LARGEST_BYTES", "RepositoryResult", "SectionReader", "no_section", "read", "to_json"]

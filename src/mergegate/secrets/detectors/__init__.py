"""Every kind of secret that is told, in trees and in pages: one TOML file a topic, data alone."""

from collections.abc import Mapping
from pathlib import Path

from mergegate.core.data_table import read_tables
from mergegate.secrets.detector import Detector

DETECTORS: Mapping[str, Detector] = read_tables(Path(__file__).parent, Detector)
"""By id. An entry is all that trees, pages, rules and reports need to know of a detector."""

from pathlib import Path

import yaml

CONFIGURATION = Path("docs") / "mkdocs.yml"


def configuration():
    # ruleid: python-yaml-unsafe-load-of-file
    return yaml.unsafe_load(CONFIGURATION.read_text(encoding="utf-8"))


def stored(path, response):
    # ruleid: python-yaml-unsafe-load-of-file
    first = yaml.unsafe_load(path.read_bytes())
    # ok: python-yaml-unsafe-load-of-file
    second = yaml.safe_load(path.read_text())
    # ok: python-yaml-unsafe-load-of-file
    return first, second, yaml.unsafe_load(response.text)

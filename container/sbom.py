"""Print what an image is made of, as CycloneDX: its Debian, its Python and its npm packages.

Runs inside the image with its own interpreter: it lists what is installed, not what was asked for.
With the argument ``package`` it is the bill of the wheel that is installed, without Debian.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions, entry_points
from pathlib import Path

from cyclonedx.contrib.this.builders import this_component
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.model.license import DisjunctiveLicense
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL
from packaging.utils import canonicalize_name

_QUERY = r"${db:Status-Abbrev}\t${Package}\t${Version}\t${Architecture}\n"
_LONGEST_LICENCE = 100


def ours() -> Distribution:
    """Mergegate itself, by whatever name an index has it: a fork's may be another."""
    commands = entry_points(group="console_scripts", name="mergegate")
    return next(one.dist for one in commands if one.dist)


def python_packages() -> Iterator[Component]:
    """The distributions that this interpreter sees, but for ours: that is no part of itself."""
    us = canonicalize_name(ours().metadata["Name"])
    for one in distributions():
        name = canonicalize_name(one.metadata["Name"])
        if name == us:
            continue
        yield Component(
            name=name,
            version=one.version,
            purl=PackageURL("pypi", None, name, one.version),
            licenses=_licences(one),
        )


def _licences(one: Distribution) -> list[DisjunctiveLicense]:
    """As the package states it; some paste the whole text where a name belongs."""
    stated = one.metadata.get("License-Expression") or one.metadata.get("License") or ""
    named = stated and len(stated) < _LONGEST_LICENCE and "\n" not in stated
    return [DisjunctiveLicense(name=stated)] if named else []


def debian_packages() -> Iterator[Component]:
    """The packages that dpkg has installed."""
    command = ["dpkg-query", "--show", f"--showformat={_QUERY}"]
    listed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    for line in listed.splitlines():
        status, name, version, architecture = line.split("\t")
        if status.startswith("ii"):
            purl = PackageURL("deb", "debian", name, version, {"arch": architecture})
            yield Component(name=name, version=version, purl=purl)


def npm_packages() -> Iterator[Component]:
    """What the site tools load: it lies inside our own package."""
    home = ours().locate_file("mergegate/node_modules")
    for manifest in sorted(Path(str(home)).glob("**/package.json")):
        stated = json.loads(manifest.read_text(encoding="utf-8"))
        if "version" in stated:  # others only say how their folder is to be read
            scope, _, name = stated["name"].rpartition("/")
            yield Component(
                group=scope or None,
                name=name,
                version=stated["version"],
                purl=PackageURL("npm", scope or None, name, stated["version"]),
            )


def bill(about: ComponentType) -> Bom:
    """Everything, with Mergegate itself as what the bill is about."""
    system = debian_packages() if about is ComponentType.CONTAINER else ()
    held = Bom(components=[*python_packages(), *system, *npm_packages()])
    held.metadata.tools.components.add(this_component())
    whole = Component(name="mergegate", version=ours().version, type=about)
    held.metadata.component = whole
    held.register_dependency(whole, held.components)
    return held


if __name__ == "__main__":
    asked = ComponentType.APPLICATION if sys.argv[1:] == ["package"] else ComponentType.CONTAINER
    print(JsonV1Dot6(bill(asked)).output_as_string(indent=1))

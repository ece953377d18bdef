"""What the wheel holds beside the sources: compiled rules, and the npm packages of the site tools.

Half a thousand YAML files take longer than a small scan. Of the packages only what a run loads goes
in, with every licence: the extra `site` of the wheel then needs no npm.
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_ALL = ("**/*",)
LOADED: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "@formatjs/fast-memoize": _ALL,
        "@formatjs/icu-messageformat-parser": _ALL,
        "@formatjs/icu-skeleton-parser": _ALL,
        "@paulirish/trace_engine": ("core/**/*", "models/**/*", "third_party/**/*"),
        "@puppeteer/browsers": ("lib/**/*",),
        "ajv-formats": ("dist/*",),
        "axe-core": ("axe.min.js", "locales/_template.json"),
        "csp_evaluator": ("dist/**/*",),
        "debug": ("src/*",),
        "http-link-header": ("lib/*",),
        "image-ssim": ("*",),
        "intl-messageformat": ("*", "src/**/*"),
        "jpeg-js": ("*", "lib/*"),
        "js-library-detector": ("library/*",),
        "legacy-javascript": ("*",),
        "lighthouse": (
            *("core/**/*", "shared/**/*", "types/lh.js", "third-party/a*/**/*"),
            *("report/assets/*", "report/generator/*", "flow-report/assets/*"),
            *("dist/report/flow.js", "dist/report/standalone.js"),
        ),
        "lighthouse-logger": ("*",),
        "lighthouse-stack-packs": ("*", "packs/*"),
        "lodash-es": ("*",),
        "lookup-closest-locale": ("*",),
        "marky": ("lib/*",),
        "ms": ("*",),
        "puppeteer-core": ("lib/puppeteer/**/*", "lib/third_party/**/*", "node_modules/ws/**/*"),
        "robots-parser": ("*",),
        "speedline-core": ("lib/*",),
        "third-party-web": ("*", "lib/**/*", "dist/entities*.json"),
        "tldts-icann": ("dist/cjs/*",),
        "tslib": ("*",),
        "web-vitals": ("dist/web-vitals.iife.js", "dist/web-vitals.attribution.iife.js"),
    }
)
"""The packages that an audit and a browser test load, as traced, and which of their files."""
_NEVER_LOADED = (
    "*.map",
    "*.ts",
    "*.cts",
    "*.mts",
    "*.md",
    "*.tsbuildinfo",
    "tsconfig*.json",
    "*.d.*",
)
_LEGAL = ("package.json", "LICEN[CS]E*", "licen[cs]e*", "NOTICE*", "COPYING*", "COPYRIGHT*")
_LOCALES = "lighthouse/shared/localization/locales"
_LOCALE = "en-US.json"
_NO_LOCALES = """/**
 * @license
 * Copyright 2018 Google LLC
 * SPDX-License-Identifier: Apache-2.0
 */
// Changed by Mergegate: without the messages of other languages, as the file itself recommends.
export const locales = {};
"""
_NOTICE = "THIRD_PARTY_NOTICES.md"


class Extras(BuildHookInterface):  # type: ignore[type-arg]
    """Adds generated files to a wheel; an editable install uses the checkout's own."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling before it collects the files."""
        if version == "editable":
            return
        made = Path(tempfile.mkdtemp())
        include = build_data["force_include"]
        include |= self._knowledge(made)
        installed = Path(self.root) / "node_modules"
        if (installed / "lighthouse").is_dir():
            pack(installed, made / "node_modules")
            include[str(made / "node_modules")] = "mergegate/node_modules"

    def _knowledge(self, folder: Path) -> dict[str, str]:
        """What is parsed beforehand: where it is now, and where it belongs in the wheel."""
        source = Path(self.root) / "src"
        sys.path.insert(0, str(source))
        from mergegate.core.compiled import COMPILED  # noqa: PLC0415
        from mergegate.repo import infrastructure, rules  # noqa: PLC0415

        included = {}
        for number, knowledge in enumerate((rules.WRITTEN, infrastructure.WRITTEN)):
            target = folder / f"{number}.json"
            knowledge.compile(target)
            place = knowledge.folder.relative_to(source) / COMPILED
            included[str(target)] = place.as_posix()
        return included


def pack(installed: Path, target: Path) -> None:
    """Copy what a run loads of the ``node_modules`` in ``installed`` to ``target``, a new folder.

    Raises FileNotFoundError when a package is not installed.
    """
    for package, patterns in LOADED.items():
        for file in _files(installed / package, patterns):
            copy = target / file.relative_to(installed)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, copy)
    locales = target / _LOCALES
    locales.with_name("locales.js").write_text(_NO_LOCALES, encoding="utf-8")
    (target / _NOTICE).write_text("\n".join(_notices(target)), encoding="utf-8")


def _files(package: Path, patterns: tuple[str, ...]) -> Iterator[Path]:
    if not (package / "package.json").is_file():
        raise FileNotFoundError(package)
    wanted = {file for pattern in (*patterns, *_LEGAL) for file in package.glob(pattern)}
    for file in sorted(wanted):
        if file.is_file() and not _is_idle(file):
            yield file


def _is_idle(file: Path) -> bool:
    if any(file.match(one) for one in _LEGAL):
        return False
    foreign = file.as_posix().rpartition(f"{_LOCALES}/")
    idle = any(file.match(one) for one in _NEVER_LOADED)
    return idle or (foreign[1] != "" and foreign[2] != _LOCALE)


def _notices(packed: Path) -> Iterator[str]:
    """Every package with its version and licence, then the licences in full."""
    yield "# Third-party packages of the site tools\n"
    manifests = sorted(packed.glob("**/package.json"))
    for stated in (json.loads(file.read_text(encoding="utf-8")) for file in manifests):
        if "version" in stated:  # others only say how their folder is to be read
            yield f"- {stated['name']} {stated['version']}: {_licence(stated)}"
    for file in sorted({file for name in _LEGAL[1:] for file in packed.glob(f"**/{name}")}):
        yield f"\n## {file.relative_to(packed).as_posix()}\n"
        yield file.read_text(encoding="utf-8")


def _licence(stated: Mapping[str, Any]) -> str:
    """As the package states it, today or as npm once wanted it."""
    older = [one["type"] for one in stated.get("licenses", ())]
    return str(stated.get("license") or " OR ".join(older))

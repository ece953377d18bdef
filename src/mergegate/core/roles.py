"""What a file is for, read off its path alone."""

import re
from functools import lru_cache

from mergegate.core.tree import Role

# Read off the path with a slash before it, so that every alternative begins with one of few plain
# signs: to those the engine leaps, while ``(^|/)`` or ``[.-]`` would be tried at every character.
_VENDORED = re.compile(
    r"/(node_modules|bower_components|vendor|vendors|vendored|_vendor|third[_-]?party|"
    r"thirdparty|extern|externals|site-packages|\.yarn|Pods|Carthage)/"
    r"|/(jquery|lodash|underscore|moment|select2|xregexp|prototype|scriptaculous|"
    r"mootools|raphael|modernizr|html5shiv)([.-]?\d[\w.-]*)?"
    r"(\.min|\.slim|\.umd)*\.(js|css)$"
    r"|/(bootstrap|angular|react|vue|d3)([.-]\d[\w.-]*|\.min)+\.(js|css)$",
    re.IGNORECASE,
)
_GENERATED = re.compile(
    r"\.min\.(js|css|mjs|cjs)$|-min\.(js|css|mjs|cjs)$|\.(bundle|chunk|umd)\.js$|\.map$"
    r"|_pb2(_grpc)?\.py$|\.pb\.go$|_generated\.\w+$|\.generated\.\w+$|\.g\.dart$|/__generated__/|/\.next/"
    r"|/(dist|build|umd|bundles?)/([^/]+/)*[^/]+\.(js|cjs|mjs|css)$",
    re.IGNORECASE,
)
_TEST = re.compile(
    r"/(tests?|testing|spec|specs|__tests__|__mocks__|testdata|test[_-]data|fixtures?|e2e|"
    r"cypress|mocks?|stubs?|benchmarks?|bench|js_tests|[\w-]*-tests?|test-[\w-]+|tests?_[\w]+|"
    r"(?!(?:la|con|at|pro|grea|fas)test/)[a-z0-9]+test)/"
    r"|/(test_[^/]*|[^/]*_test|[^/]*_tests|conftest|tests?)\.\w+$"
    r"|\.(test|tests|spec|stories|e2e|cy)\.\w+$|-(test|tests|spec|stories|e2e|cy)\.\w+$"
    r"|/[^/]*Tests?\.(java|kt|cs|scala|groovy)$"
    r"|/src/(test|it|testFixtures|integrationTest)/",
    re.IGNORECASE,
)
_EXAMPLE = re.compile(
    r"/(examples?|samples?|demos?|tutorials?|playground|templates?/project_name|sandbox|"
    r"quickstart|cookbook|snippets|recipes)/"
    r"|\.(example|sample|dist|template)$|-(example|sample|dist|template)$"
    r"|\.(example|sample|template|dist)\.\w+$",
    re.IGNORECASE,
)
_DOCS_FOLDER = re.compile(r"/(docs?|documentation|website|site|man|wiki)/", re.IGNORECASE)
_DOCS_NAME = re.compile(
    r"\.(md|mdx|rst|adoc|txt|tex)$|/(readme|changelog|changes|history|authors|news)[^/]*$",
    re.IGNORECASE,
)
_REQUIREMENTS = re.compile(r"(requirements|constraints)[\w.-]*\.txt$", re.IGNORECASE)
_BY_ROLE = (
    (Role.VENDORED, _VENDORED),
    (Role.GENERATED, _GENERATED),
    (Role.TEST, _TEST),
    (Role.EXAMPLE, _EXAMPLE),
    (Role.DOCS, _DOCS_FOLDER),
)


@lru_cache(maxsize=1 << 17)
def role_of(path: str) -> Role:
    """The first that fits of vendored, generated, test, example, docs; else source."""
    rooted = f"/{path}"
    for role, pattern in _BY_ROLE:
        if pattern.search(rooted):
            return role
    if _DOCS_NAME.search(rooted) and not _REQUIREMENTS.search(path):
        return Role.DOCS
    return Role.SOURCE

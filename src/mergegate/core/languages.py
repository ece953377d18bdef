"""Which language a file is in, read off its name: semgrep's names."""

_BY_SUFFIX = {
    ".py": "python",
    ".pyi": "python",
    ".pyw": "python",
    ".js": "javascript",
    ".jsx": "javascript",
    ".mjs": "javascript",
    ".cjs": "javascript",
    ".ts": "typescript",
    ".tsx": "typescript",
    ".mts": "typescript",
    ".cts": "typescript",
    ".java": "java",
    ".go": "go",
    ".tf": "terraform",
    ".rb": "ruby",
    ".php": "php",
    ".cs": "csharp",
    ".kt": "kotlin",
    ".kts": "kotlin",
    ".scala": "scala",
    ".rs": "rust",
    ".swift": "swift",
    ".c": "c",
    ".h": "c",
    ".cc": "cpp",
    ".cpp": "cpp",
    ".cxx": "cpp",
    ".hpp": "cpp",
    ".sh": "bash",
    ".bash": "bash",
    ".yaml": "yaml",
    ".yml": "yaml",
    ".json": "json",
    ".xml": "xml",
    ".html": "html",
    ".htm": "html",
    ".dockerfile": "dockerfile",
}
_PROSE = frozenset({"md", "rst", "txt"})


def language_of(path: str) -> str | None:
    """semgrep's name of the language, None for anything no engine parses."""
    name = path.rpartition("/")[2].lower()
    stem, dot, suffix = name.rpartition(".")
    known = _BY_SUFFIX.get(f".{suffix}") if dot and stem else None
    # `Dockerfile.prod` is one, `dockerfile.py` is a module about them.
    is_container = name.partition(".")[0] in ("dockerfile", "containerfile")
    return "dockerfile" if is_container and not known and suffix not in _PROSE else known

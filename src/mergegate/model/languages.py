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


def language_of(path: str) -> str | None:
    """semgrep's name of the language, None for anything no engine parses."""
    name = path.rpartition("/")[2].lower()
    if name in ("dockerfile", "containerfile") or name.startswith(
        ("dockerfile.", "containerfile.")
    ):
        return "dockerfile"
    stem, dot, suffix = name.rpartition(".")
    return _BY_SUFFIX.get(f".{suffix}") if dot and stem else None

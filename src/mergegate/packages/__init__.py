"""Lock files and manifests, read as data: nothing is resolved, built, fetched or run."""

"""One reader a format of lock file or manifest; nothing is resolved or executed."""

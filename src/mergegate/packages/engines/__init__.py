"""The engines that tell of packages and of their advisories."""

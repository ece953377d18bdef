"""The API's security scan result."""

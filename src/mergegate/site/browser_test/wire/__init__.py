"""The API's browser test result."""

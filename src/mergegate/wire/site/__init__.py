"""The API's results of the site tools."""

"""The API's SEO scan result."""

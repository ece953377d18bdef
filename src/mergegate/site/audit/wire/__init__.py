"""The API's website audit result."""

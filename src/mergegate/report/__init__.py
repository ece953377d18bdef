"""Report → text: one renderer a format, all pure. JSON is the API's business: see ``wire``."""

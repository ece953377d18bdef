"""Where Google answers; it stands here for who asks without reading a page."""

GOOGLE = "https://searchconsole.googleapis.com"
TOKENS = "https://oauth2.googleapis.com/token"

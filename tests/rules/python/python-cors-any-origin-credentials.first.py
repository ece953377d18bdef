# ruleid: python-cors-any-origin-credentials
CORS_ALLOW_CREDENTIALS = True
CORS_ALLOW_HEADERS = ["content-type"]
CORS_ALLOW_ALL_ORIGINS = True

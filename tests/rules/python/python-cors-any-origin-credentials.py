from fastapi import FastAPI
from fastapi.middleware.cors import CORSMiddleware
from flask_cors import CORS

CORS_ALLOW_ALL_ORIGINS = True
# ruleid: python-cors-any-origin-credentials
CORS_ALLOW_CREDENTIALS = True

app = FastAPI()
# ruleid: python-cors-any-origin-credentials
app.add_middleware(CORSMiddleware, allow_origins=["*"], allow_credentials=True)
# ruleid: python-cors-any-origin-credentials
CORS(site, supports_credentials=True)

# ok: python-cors-any-origin-credentials
app.add_middleware(CORSMiddleware, allow_origins=["*"])
# ok: python-cors-any-origin-credentials
app.add_middleware(CORSMiddleware, allow_origins=["https://example.org"], allow_credentials=True)
# ok: python-cors-any-origin-credentials
CORS(site, origins=["https://example.org"], supports_credentials=True)

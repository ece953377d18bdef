import jwt
from fastapi import Depends, FastAPI
from fastapi.security import OAuth2PasswordBearer
from flask import g, request

app = FastAPI()
scheme = OAuth2PasswordBearer(tokenUrl="token")


def load_user():
    token = request.headers["Authorization"].removeprefix("Bearer ")
    # ruleid: python-jwt-of-request-not-verified
    g.user = jwt.decode(token, options={"verify_signature": False})["sub"]


async def current_user(token: str = Depends(scheme)):
    # ruleid: python-jwt-of-request-not-verified
    return jwt.decode(
        token,
        options={"verify_signature": False},
    )


def expiry(token):
    # ok: python-jwt-of-request-not-verified
    return jwt.decode(token, options={"verify_signature": False})["exp"]


def load_verified_user(keys):
    token = request.headers["Authorization"].removeprefix("Bearer ")
    # ok: python-jwt-of-request-not-verified
    issuer = jwt.decode(token, options={"verify_signature": False})["iss"]
    g.user = jwt.decode(token, keys[issuer], algorithms=["RS256"])["sub"]


def load_user_safely(key):
    token = request.cookies["token"]
    # ok: python-jwt-of-request-not-verified
    g.user = jwt.decode(token, key, algorithms=["HS256"])["sub"]

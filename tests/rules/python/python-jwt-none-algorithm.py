import jwt


def issue(claims):
    # ruleid: python-jwt-none-algorithm
    return jwt.encode(claims, "", algorithm="none")


def read(token, key):
    # ruleid: python-jwt-none-algorithm
    return jwt.decode(token, key, algorithms=["HS256", "none"])


def good(claims, token, key):
    # ok: python-jwt-none-algorithm
    first = jwt.encode(claims, key, algorithm="HS256")
    # ok: python-jwt-none-algorithm
    return first, jwt.decode(token, key, algorithms=["HS256", "RS256"])

import jwt


def claims(token):
    # ruleid: python-jwt-not-verified
    return jwt.decode(token, options={"verify_signature": False})


def old_claims(token, key):
    # ruleid: python-jwt-not-verified
    return jwt.decode(token, key, verify=False)


def checked(token, key):
    # ok: python-jwt-not-verified
    header = jwt.get_unverified_header(token)
    # ok: python-jwt-not-verified
    loose = jwt.decode(token, key, algorithms=["RS256"], options={"verify_aud": False})
    # ok: python-jwt-not-verified
    return header, loose, jwt.decode(token, key, algorithms=["HS256"])

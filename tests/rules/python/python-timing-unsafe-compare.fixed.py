import hashlib
import hmac


def check(key, body, given):
    # ruleid: python-timing-unsafe-compare
    return hmac.compare_digest(hmac.new(key, body, hashlib.sha256).hexdigest(), given)


def check_webhook(key, request):
    expected = hmac.new(key, request.body, hashlib.sha256).hexdigest()
    # ruleid: python-timing-unsafe-compare
    if hmac.compare_digest(request.headers["X-Signature"], expected):
        return True
    return False


def check_well(key, body, given):
    expected = hmac.new(key, body, hashlib.sha256).hexdigest()
    # ok: python-timing-unsafe-compare
    if given == "":
        return False
    # ok: python-timing-unsafe-compare
    return hmac.compare_digest(expected, given)

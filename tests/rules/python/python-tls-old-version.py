import ssl


def old():
    # ruleid: python-tls-old-version
    context = ssl.SSLContext(ssl.PROTOCOL_TLSv1)
    # ruleid: python-tls-old-version
    context.minimum_version = ssl.TLSVersion.TLSv1
    return context


def current():
    # ok: python-tls-old-version
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # ok: python-tls-old-version
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context

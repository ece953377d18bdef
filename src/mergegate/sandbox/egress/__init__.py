"""The egress: the one filtering proxy on loopback that clients, Chromium and Lighthouse all use.

It looks a name up once, refuses it unless every address is allowed, and dials an address it has
checked. Nothing else in a scan of a site opens a connection. TLS is not read: it passes in tunnels.
"""

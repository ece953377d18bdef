"""Some hundreds of ways to write an address that a scan must not reach."""

from collections.abc import Iterator
from itertools import product

_RADICES = ("{}", "{:#x}", "0X{:X}", "0{:o}", "00{:d}")


def _parts(value: int, count: int) -> tuple[int, ...]:
    """As inet_aton reads them: the last part takes what is left."""
    octets = value.to_bytes(4, "big")
    return (*octets[: count - 1], int.from_bytes(octets[count - 1 :], "big"))


def ipv4(value: int) -> Iterator[str]:
    """Every count of parts, every mix of decimal, hexadecimal and octal, and a final dot."""
    for count in (1, 2, 3, 4):
        parts = _parts(value, count)
        for radices in product(_RADICES[: 5 if count < 4 else 4], repeat=count):
            spelled = ".".join(
                radix.format(part) for radix, part in zip(radices, parts, strict=True)
            )
            yield spelled
    yield ".".join(map(str, _parts(value, 4))) + "."


LOOPBACK = tuple(dict.fromkeys([*ipv4(0x7F000001), *ipv4(0x7F010203)]))
HAND_MADE = (
    *"""
    localhost LOCALHOST localhost. ip6-localhost a.localhost localhost.localdomain
    0 0.0.0.0 0.0.0.0. 0x0 00 127.0.0.1.. .127.0.0.1 127..0.1
    127.0.0.257 127.256 6425673729 4294967297 127.0.0.0.1 127.0.0.1.0x
    0x 0x.1 1.0x 08 127.0.0.09 0127.0.0.1 0x7g.1 +127.0.0.1 -1 1e3 127.0.0.1_
    127.0.0.1%00 127.0.0.1%2e %31%32%37.0.0.1 127%2e0%2e0%2e1 127.0.0.1%20 %6cocalhost
    127.0.0.1:80@127.0.0.1 example.org@127.0.0.1 example.org:80@127.0.0.1 @127.0.0.1
    example.org\\@127.0.0.1 127.0.0.1\\ \\127.0.0.1 127.0.0.1\\.example.org
    [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] ::1
    [::] [0::0] [::1%25lo] [::1%lo] [::1%1] [fe80::1%25lo] [fe80::1] [::1]. [::1]x
    [::ffff:127.0.0.1] [::FFFF:7F00:1] [::ffff:7f00:0001] [::ffff:0:127.0.0.1] [::127.0.0.1]
    [::7f00:1] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0x7f.1] [::ffff:127.1] [::ffff:127.0.0.01]
    [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b:1::127.0.0.1] [64:ff9b:1:7f00:0:1::]
    [2002:7f00:1::] [2002:7f00:1::1] [2001:0:7f00:1::] [2001::80ff:fffe] [2002:808:808::1]
    [2606:4700::5efe:127.0.0.1] [2606:4700::200:5efe:7f00:1] [2001:db8::1] [3fff::1] [5f00::1]
    [fc00::1] [fd00:ec2::254] [fd20:ce::254] [ff02::1] [100::1] [4000::1] [v1.127.0.0.1]
    [127.0.0.1] [localhost] [] [[::1]] [::1 ::1] [::1]] [:::1] [1::2::3]
    169.254.169.254 2852039166 0xa9fea9fe 169.254.43518 [::ffff:a9fe:a9fe] 169.254.170.2
    100.100.100.200 100.64.0.1 100.127.255.255 168.63.129.16 192.0.0.192 [64:ff9b::a9fe:a9fe]
    10.0.0.1 10.255.255.255 172.16.0.1 172.31.255.255 192.168.0.1 192.168.1 0xc0a80001
    192.0.2.1 198.51.100.1 203.0.113.1 198.18.0.1 198.19.255.255 192.88.99.1 192.0.0.1
    224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255 4294967295 0xffffffff 0.1.2.3
    metadata.google.internal METADATA.google.internal. metadata metadata.goog instance-data
    intranet db.internal printer.local router.lan hidden.onion x.home.arpa x.test
    - . .. a..example.org ex%61mple.org example.org%0d%0aX * *.example.org a,b.example.org
    """.split(),  # noqa: SIM905 - a table is easier to read
    *("①②⑦.0.0.1", "127\u30020\u30020\u30021", "\uff11\uff12\uff17.0.0.1", "127.0.0.1\uff0e"),
    *("ⓛocalhost", "\uff4c\uff4f\uff43\uff41\uff4c\uff48\uff4f\uff53\uff54", "٧", "१२७.0.0.1"),
    *("loc\u00adalhost", "localhost\u200b", "127\uff0e0\uff0e0\uff0e1", "\u0661\u0662\u0667.1"),
    *("", " ", "exa mple.org", "example.org\t", "exam\x00ple.org", "a" * 64 + ".example.org"),
    ".".join(["a" * 60] * 5),
)
ALL = tuple(dict.fromkeys((*LOOPBACK, *HAND_MADE)))

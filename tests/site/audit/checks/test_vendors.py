"""Third parties in the order of what they cost."""

from mergegate.site.audit.checks.judge import costliest, facade, owners
from mergegate.site.audit.facts import Vendor
from tests.site.audit.checks.runs import load, run


def test_main_thread_time_counts_before_weight() -> None:
    vendors = [
        Vendor(name="Heavy", transfer_bytes=900),
        Vendor(name="Busy", main_thread_ms=5),
        Vendor(name="Also heavy", transfer_bytes=900),
    ]
    named = [one.name for one in costliest(run(vendors=vendors))]
    assert named == ["Busy", "Also heavy", "Heavy"]


def test_a_known_player_has_a_stand_in_and_others_have_none() -> None:
    player = facade(Vendor(name="YouTube"))
    assert player is not None
    assert player.replacement == "lite-youtube-embed"
    assert facade(Vendor(name="YouTube Analytics Clone")) is None


def test_the_sites_own_addresses_have_no_owner() -> None:
    loads = [load("https://a.example/"), load("https://t.example/", vendor="T")]
    assert owners(run(waterfall=loads)) == {"https://t.example/": "T"}

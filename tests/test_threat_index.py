"""Where each threat to a host that strangers drive is tested: numbers 37 to 53, and 56."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
PROOFS: Mapping[int, str] = {
    37: """
        host/api/test_threats.py::test_no_door_opens_to_an_address_that_no_scan_may_visit
        host/api/test_scan_requests.py::test_no_spelling_of_an_inner_address_is_taken
        sandbox/egress/test_corpus.py::test_no_spelling_reaches_the_secret_from_a_page_in_chromium
    """,
    38: """
        host/api/test_threats.py::test_no_door_opens_to_an_address_that_no_scan_may_visit
        sandbox/egress/test_addresses.py::test_what_is_no_place_for_a_site_never_passes
        sandbox/egress/test_addresses.py::test_a_wrapped_address_is_judged_like_the_one_it_wraps
        sandbox/egress/test_no_way_in.py::test_no_spelling_reaches_the_secret_from_a_raw_socket
    """,
    39: """
        sandbox/egress/test_no_way_in.py::test_a_name_that_turns_inward_between_two_lookups_is_refused
        sandbox/egress/test_no_way_in.py::test_one_inner_answer_among_public_ones_refuses_them_all
        sandbox/egress/test_no_way_in.py::test_a_name_is_looked_up_once_and_what_was_checked_is_dialled
        sandbox/egress/test_lighthouse.py::test_a_page_whose_own_name_turns_inward_is_refused_each_time
        host/api/test_real.py::test_a_name_that_turns_inward_is_asked_for_once_a_scan_and_refused_the_next_time
    """,
    40: """
        host/api/test_real.py::test_a_redirect_that_leads_inward_is_refused_by_the_scan
        sandbox/egress/test_no_way_in.py::test_each_hop_of_a_redirect_is_judged
        sandbox/egress/test_corpus.py::test_no_redirect_to_any_spelling_leads_httpx_to_the_secret
    """,
    41: """
        sandbox/egress/test_browser.py::test_nothing_on_the_attack_page_reaches_the_secret_by_any_name
        sandbox/egress/test_browser.py::test_each_flag_of_the_guard_is_needed
        sandbox/egress/test_lighthouse.py::test_an_audit_of_the_attack_page_reaches_nothing
        host/api/test_real.py::test_a_page_that_tries_the_doors_reaches_nothing_and_traps_nobody
    """,
    42: """
        host/api/test_threats.py::test_no_door_opens_to_an_address_that_no_scan_may_visit
    """,
    43: """
        sandbox/web/test_hostile.py::test_an_endless_body_ends
        sandbox/web/test_hostile.py::test_a_small_bomb_is_not_unpacked
        sandbox/web/test_hostile.py::test_a_head_that_drips_is_no_answer
        sandbox/web/test_redirects.py::test_a_circle_is_left_at_once
        sandbox/egress/test_caps.py::test_an_endless_body_is_broken_off
        sandbox/egress/test_caps.py::test_a_site_that_drips_ends_with_the_time_of_a_request
        site/browser_test/journey/test_hostile.py::test_a_body_without_end_is_cut
        host/api/test_real.py::test_of_a_body_without_end_and_of_a_bomb_the_beginning_is_read
    """,
    44: """
        sandbox/browser/test_hostile.py::test_endless_scripts_and_endless_alerts_are_left_behind
        sandbox/browser/test_hostile.py::test_popups_are_closed
        sandbox/browser/test_hostile.py::test_nothing_is_downloaded
        sandbox/browser/test_hostile.py::test_a_memory_bomb_is_ended
        sandbox/browser/test_hostile.py::test_a_crashed_browser_is_told_and_the_next_one_works
        host/runner/test_sites.py::test_a_page_is_blamed_for_a_browser_that_crashes_and_not_for_one_that_is_killed
        host/api/test_tools.py::test_what_a_synchronous_scan_fails_of_is_its_status
        host/api/test_real.py::test_a_page_that_tries_the_doors_reaches_nothing_and_traps_nobody
    """,
    45: """
        host/api/test_tools.py::test_an_unknown_scan_and_another_accounts_look_alike
        host/store/test_authentication.py::test_a_scan_of_another_account_looks_like_none
    """,
    46: """
        host/api/test_keys.py::test_every_bad_key_gets_the_same_answer
    """,
    47: """
        host/api/test_acceptance.py::test_an_idempotency_key_with_another_request_is_a_conflict
        host/api/test_acceptance.py::test_an_idempotency_key_starts_one_scan
    """,
    48: """
        host/api/hooks/test_served.py::test_a_delivery_to_a_host_is_queued_for_its_workers
        host/api/hooks/test_attacks.py::test_what_is_not_signed_as_it_stands_is_refused
        host/api/hooks/test_receiving.py::test_what_is_not_signed_looks_alike_and_leaves_nothing
        host/api/hooks/test_receiving.py::test_a_delivery_that_comes_fifty_times_at_once_is_queued_once
        host/api/hooks/test_receiving.py::test_what_is_said_again_under_another_name_is_a_duplicate
        host/runner/test_changes.py::test_a_change_that_moves_on_during_its_scan_gets_no_comment
    """,
    49: """
        host/api/test_requests.py::test_what_is_no_json_is_refused
        host/api/test_requests.py::test_a_budget_of_another_version_has_a_code_of_its_own
        host/api/test_openapi.py::test_nobody_finds_an_answer_that_breaks_the_document
    """,
    50: """
        test_threats.py::test_an_engine_without_a_trustworthy_answer_is_never_a_pass
        host/runner/test_repositories.py::test_a_scan_without_an_essential_engine_is_failed_and_keeps_its_result
    """,
    51: """
        test_threats.py::test_advisories_of_long_ago_say_what_is_not_known
        repo/test_scan.py::test_dependencies_without_a_store_are_incomplete
    """,
    52: """
        host/api/test_acceptance.py::test_a_site_is_cooled_down_however_it_is_spelled
        host/api/test_acceptance.py::test_names_beyond_ascii_are_one_site_with_their_other_spelling
        host/api/test_acceptance.py::test_the_cooldown_is_the_accounts_whichever_key_is_used
    """,
    53: """
        host/api/test_acceptance.py::test_of_a_thousand_parallel_audits_exactly_five_are_free
        host/store/test_usage.py::test_of_many_at_once_exactly_five_are_admitted
    """,
    56: """
        host/api/test_serving.py::test_a_killed_host_loses_no_accepted_scan
        host/api/test_acceptance.py::test_a_database_that_is_gone_is_no_mistake_of_the_callers
        host/jobs/test_drill.py::test_nothing_is_lost_on_sqlite
        host/jobs/test_drill.py::test_nothing_is_lost_on_postgresql
        host/jobs/test_outage.py::test_what_does_not_fit_is_not_accepted_by_half
        host/jobs/test_outage.py::test_a_result_that_does_not_fit_is_a_clear_failure
        host/jobs/test_outage.py::test_scans_and_workers_outlive_a_restart
    """,
}


def test_no_threat_is_left_out() -> None:
    assert set(PROOFS) == {*range(37, 54), 56}


@pytest.mark.parametrize("proof", sorted({one for told in PROOFS.values() for one in told.split()}))
def test_each_is_tested_where_it_is_said_to_be(proof: str) -> None:
    file, _, name = proof.partition("::")
    assert re.search(rf"^(async )?def {name}\(", (TESTS / file).read_text(), re.MULTILINE)

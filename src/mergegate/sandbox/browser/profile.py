"""What a fresh profile says before Chromium reads it: no downloads, no permissions, no questions.

The settings are those of chrome/common/pref_names.h; private contexts, in which pages are opened,
inherit them.
"""

import json
from collections.abc import Mapping
from pathlib import Path

_BLOCK = 2
_NEVER = 2
_PERMISSIONS = (
    *("ar", "automatic_downloads", "bluetooth_guard", "clipboard", "file_system_write_guard"),
    *("geolocation", "hid_guard", "idle_detection", "local_fonts", "media_stream_camera"),
    *("media_stream_mic", "midi_sysex", "notifications", "payment_handler", "popups"),
    *("sensors", "serial_guard", "usb_guard", "vr", "window_placement"),
)
_PREFERENCES: Mapping[str, object] = {
    "download_restrictions": 3,  # all of them
    "download": {"prompt_for_download": False, "open_pdf_in_system_reader": False},
    "plugins": {"always_open_pdf_externally": True},  # as a download, which is refused
    "net": {"network_prediction_options": _NEVER},
    "profile": {"default_content_setting_values": dict.fromkeys(_PERMISSIONS, _BLOCK)},
    "credentials_enable_service": False,
    "safebrowsing": {"enabled": False, "enhanced": False},
    "search": {"suggest_enabled": False},
    "signin": {"allowed": False, "allowed_on_next_startup": False},
    "spellcheck": {"dictionary": "", "dictionaries": []},  # it would fetch one
    "translate": {"enabled": False},
    "printing": {"enabled": False},
    "alternate_error_pages": {"enabled": False},
}
_MACHINE: Mapping[str, object] = {
    "dns_over_https": {"mode": "off"},  # it would ask a resolver of its own
    "background_mode": {"enabled": False},
    "hardware_acceleration_mode": {"enabled": False},
}


def furnish(room: Path) -> None:
    """Write a profile into the empty ``room``."""
    (room / "Default").mkdir()
    (room / "Default" / "Preferences").write_text(json.dumps(_PREFERENCES), encoding="ascii")
    (room / "Local State").write_text(json.dumps(_MACHINE), encoding="ascii")

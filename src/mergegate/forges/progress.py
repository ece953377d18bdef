"""What a forge shows of a scan that has no verdict (yet), in one plain line each."""

SCANNING = "This commit is being scanned"
STOPPED = "The scan was called off before its end; push, or comment `/mergegate rescan`"

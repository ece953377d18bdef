"""What carries scans out: its child loads this package too, so nothing heavy is imported here."""

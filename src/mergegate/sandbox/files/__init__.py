"""Read hostile trees of files, and write where nothing of theirs is followed."""

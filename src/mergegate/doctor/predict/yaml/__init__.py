"""CI files as nodes that know where they stand, and edits that keep every comment."""

"""A scan that another host carries out: submitted, polled, read."""

"""What a host keeps, on SQLite or PostgreSQL alike: accounts, keys, scans and what belongs to them.

Every function takes the connection of the caller's transaction (:mod:`.database`), so that several
of them stand or fall together. Nothing here reads this machine's clock: callers hand in the time;
heartbeats and counted requests go by the database's own.
"""

"""Alembic's scripts: the environment, and one revision a change of the tables."""

"""Bitbucket Cloud: its jobs, its deliveries, its repositories, and what is published there."""

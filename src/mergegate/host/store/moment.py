"""Points in time as both databases keep them: in UTC, with microseconds, read back aware."""

import datetime as dt

import sqlalchemy as sa


class Moment(sa.TypeDecorator[dt.datetime]):
    """An aware time; SQLite holds it as text that sorts by time, PostgreSQL as ``timestamptz``."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: dt.datetime | None, _: sa.Dialect) -> dt.datetime | None:
        """Raises ValueError for a time without a zone."""
        return None if value is None else in_utc(value)

    def process_result_value(self, value: dt.datetime | None, _: sa.Dialect) -> dt.datetime | None:
        """SQLite's own type gives no zone; PostgreSQL's gives the session's."""
        if value is None or value.tzinfo is None:
            return value and value.replace(tzinfo=dt.UTC)
        return value.astimezone(dt.UTC)


def in_utc(moment: dt.datetime) -> dt.datetime:
    """The same moment in UTC; raises ValueError for a time without a zone."""
    if moment.tzinfo is None:
        raise ValueError("a moment needs a time zone")
    return moment.astimezone(dt.UTC)


def as_text(moment: dt.datetime) -> str:
    """As SQLAlchemy writes it into SQLite: ``2026-03-01 09:30:00.000000``."""
    return in_utc(moment).replace(tzinfo=None).isoformat(" ", "microseconds")


def in_zone(written: str | dt.datetime | None) -> dt.datetime | None:
    """What a driver reads for a :class:`Moment`: SQLite text, PostgreSQL its session's zone."""
    if written is None or isinstance(written, dt.datetime):
        return written and in_utc(written)
    return dt.datetime.fromisoformat(written).replace(tzinfo=dt.UTC)

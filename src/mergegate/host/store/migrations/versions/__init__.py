"""The revisions, oldest first. One that was released is never edited."""

"""What every report is written with: escapes, tables, charts, templates."""

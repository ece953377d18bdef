"""Facts that several site tools read; loading one loads no library."""

"""Read hostile Git repositories, and bring commits here."""

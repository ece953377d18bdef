"""Facts: what engines saw, recorded without judgement; each saves and reloads."""

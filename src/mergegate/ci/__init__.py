"""``mergegate ci``: the job of a pipeline, from the event to the answer on the forge."""

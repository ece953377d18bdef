"""Finding → change that was proved: applied, parsed and scanned again before it is offered."""

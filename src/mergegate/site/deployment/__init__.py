"""The site that a change deploys: audit and browser test in one outcome."""

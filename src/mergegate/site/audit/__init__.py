"""The website audit: Lighthouse's scores, issues, fixes, budgets."""

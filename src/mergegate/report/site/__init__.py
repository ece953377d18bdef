"""Reports of the site tools, the audit and the browser test, in every format.

SARIF names pages by their address, for nothing of a site maps to a file of the repository: it is
for viewers and for stores of findings. GitHub's code scanning shows files alone; do not upload it.
"""

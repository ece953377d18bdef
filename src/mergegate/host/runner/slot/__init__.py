"""``python -m mergegate.host.runner.slot``: the child of a worker, in which scans are carried out.

Each line of standard input is an order, each line of standard output its answer
(:mod:`mergegate.host.order`). What a mistake of ours tells goes to standard error.
"""

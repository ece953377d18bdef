"""Mergegate in an editor: what is found in a file as it is saved, by the Language Server Protocol.

Unsaved text is not scanned, and nothing is written: what an action changes, the editor shows.
"""

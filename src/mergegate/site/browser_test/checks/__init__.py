"""What a journey means: problems, each told once however many pages have it, and what to do.

Nothing here looks at the time, the order of arrival or the machine. A problem keeps its id when
the same site is deployed under another host, so that the previews of a change and of its base can
be compared.
"""

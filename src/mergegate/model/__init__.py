"""A language model that the operator chose: asked for words and edits, never for a verdict.

    found = settings.chosen(policy.model, os.environ, folders.models, from_fork=…)
    if not isinstance(found, settings.Off):     # else found.why, where somebody wants one
        kept = AnswerCache(folders.answers)     # None where others may write it, as in a pipeline
        with open.session(found, redact=outgoing, spent=folders.spent, memory=kept) as model:
            …                                   # model.ask, model.prompt, model.receipt

The policy is the base's wherever there is a base. Nothing here is imported by a scan without a
model.
"""

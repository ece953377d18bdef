import torch


def restore(path, model):
    # ruleid: python-torch-load
    model.load_state_dict(torch.load(path, weights_only=True))
    # ruleid: python-torch-load
    checkpoint = torch.load(path, map_location="cpu", weights_only=True)
    return checkpoint


def restore_safely(path, model, trusted):
    # ok: python-torch-load
    model.load_state_dict(torch.load(path, weights_only=True))
    # ok: python-torch-load
    return torch.load(path, weights_only=not trusted)

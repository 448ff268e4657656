# %% Pinned memory
torch.tensor([1], pin_memory=True)


# %% A tensor made on cuda
torch.tensor([1], device="cuda")


# %% A tensor moved to cuda
torch.tensor([1.0]).cuda()

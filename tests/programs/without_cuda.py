torch.tensor([1],pin_memory=True)
# ---
torch.tensor([1],device='cuda')
# ---
torch.tensor([1.]).cuda()

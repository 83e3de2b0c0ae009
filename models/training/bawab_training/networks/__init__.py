"""Blocks that networks are made of, losses, and weights to begin with."""

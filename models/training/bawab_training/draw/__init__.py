"""Flat pages and cards: what is printed on them, how, and on what."""

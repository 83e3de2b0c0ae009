"""Figures of networks, and calibration by them."""

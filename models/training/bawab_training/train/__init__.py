"""The trainings, one module a network: its definition, its loop and its commands."""

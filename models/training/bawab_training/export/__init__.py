"""From float weights to int8 files, and the manifest that names them."""

"""Generators, networks and converters behind the .tflite files of this folder's parent."""

"""Tests of models: llama.cpp's own server answers, and a stub what that cannot."""

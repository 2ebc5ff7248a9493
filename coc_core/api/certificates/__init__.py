"""Certificates, made of a model and problems."""

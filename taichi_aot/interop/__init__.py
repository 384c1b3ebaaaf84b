"""Interoperation with other APIs and frameworks: one module for each."""

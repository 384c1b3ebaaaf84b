"""The variants and measurements of launches."""

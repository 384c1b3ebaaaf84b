"""The variants of structs."""

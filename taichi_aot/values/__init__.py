"""Basic types in pure Python: enumerations, errors, dtypes, signatures, and the wording of messages."""

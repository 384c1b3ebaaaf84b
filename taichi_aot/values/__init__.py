"""What everything is made of: enumerations, errors, dtypes, signatures, and the wording of messages. Pure Python."""

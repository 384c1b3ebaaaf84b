"""Scenarios: functions that a test runs in a child process, because they could end it.

``python -m scenarios MODULE:FUNCTION ARGUMENT...`` runs one; ``helpers.child.run_scenario`` does so for a test.
Each takes strings, checks by ``assert`` and raises where it fails.
"""

END = "the scenario returned"  # printed last

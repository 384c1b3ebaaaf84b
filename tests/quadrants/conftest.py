"""A new runtime for each test, because a runtime takes only one module with fields."""

import pytest


@pytest.fixture
def rt(own_rt):
    return own_rt

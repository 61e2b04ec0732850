"""All threads while the processor is free, one while somebody else uses it."""

from __future__ import annotations

import pytest

from datasets.enrolment.thread_choice import ThreadChoice

IDLE = {2: 0.11, 1: 0.22}
BUSY = {2: 8.0, 1: 0.25}


def run(choice: ThreadChoice, seconds: float, costs: dict[int, float]) -> list[int]:
    """Threads of each step while so much time passes."""
    used, passed = [], 0.0
    while passed < seconds:
        used.append(choice.threads)
        passed += costs[choice.threads]
        choice.took(costs[choice.threads])
    return used


def test_all_threads_are_used_while_nothing_else_runs() -> None:
    used = run(ThreadChoice(2), 200, IDLE)
    assert used.count(2) > 0.95 * len(used)
    assert used.count(1) >= 10  # looked at again and again


def test_one_thread_is_used_beside_others_and_trials_cost_little() -> None:
    choice = ThreadChoice(2)
    run(choice, 20, IDLE)
    used = run(choice, 600, BUSY)
    lost = 8.0 * used.count(2)
    assert used[1:6].count(1) >= 4  # at once
    assert lost < 0.1 * 600


def test_all_threads_are_used_again_when_the_others_have_gone() -> None:
    choice = ThreadChoice(2)
    run(choice, 300, BUSY)
    used = run(choice, 200, IDLE)
    assert used[-200:].count(2) > 0.9 * 200


def test_first_step_that_loads_libraries_is_no_reason() -> None:
    choice = ThreadChoice(2)
    choice.took(30.0)
    assert run(choice, 20, IDLE).count(2) > 0.9 * 20 / IDLE[2] * 0.9


def test_single_core_has_no_choice() -> None:
    choice = ThreadChoice(1)
    assert set(run(choice, 60, {1: 0.3})) == {1}
    with pytest.raises(ValueError, match="most must be 1"):
        ThreadChoice(0)

"""Effects outside: intent, call, outcome."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, Protocol, TypeAlias

from ..jsontext import described, plain
from .endings import EffectRefused, Ending, InvalidValue, Refused
from .reports import Reply

Kind: TypeAlias = Literal["idempotent", "neither"]
"""``idempotent``: the other system takes our key and does the same thing once; ``neither``: it does not."""


MOST_COST_USD = 1_000_000


@dataclass(frozen=True)
class EffectCall:
    """The call of an effect. ``key`` is the same at every try."""

    key: str
    request: Any


@dataclass(frozen=True)
class Outcome:
    """An outcome with its name in the other system, or its cost. An effect may return this instead of the value."""

    value: Any
    external_id: str | None = None
    cost_usd: float | None = None
    """Its cost in dollars: the reservation of a job with a budget is settled by it."""


class Report(Protocol):
    def __call__(self, type: str, **fields: Any) -> Reply: ...


def run_effect(
    report: Report,
    end: Callable[[Ending], NoReturn],
    name: str,
    request: Any,
    run: Callable[[EffectCall], Any],
    kind: Kind,
) -> Any:
    """Makes an effect, or gives the outcome that it had.

    :raises InvalidValue: for an outcome that is not plain JSON
    :raises Ending: ``outcome_unknown`` where it may have happened and that cannot be found out
    """
    effect = report("effect_intended", name=name, request=request)["effect"]
    state = effect["state"]
    if state == "done":
        return effect.get("outcome")
    if state == "unknown" or (state == "again" and kind == "neither"):
        if state == "again":
            report("effect_unknown", name=name)
        end(_unknown(name))
    try:
        done = run(EffectCall(effect["key"], request))
    except EffectRefused as refused:
        report("effect_failed", name=name, message=described(refused.message))
        raise
    said = {"external_id": done.external_id, "cost_usd": done.cost_usd} if isinstance(done, Outcome) else {}
    try:
        outcome = plain(done.value if isinstance(done, Outcome) else done, f"outcome of the effect {name}")
    except TypeError as error:
        raise InvalidValue(error) from error
    cost = said.get("cost_usd")
    wrong = isinstance(cost, float | int) and not 0 <= cost <= MOST_COST_USD
    if wrong:
        del said["cost_usd"]
    reply = report("effect_done", name=name, outcome=outcome, **{key: one for key, one in said.items() if one is not None})
    if wrong:
        end(_wrong_cost(name, cost))
    # another attempt may have made it too, and its outcome was kept first
    standing = reply.get("effect")
    return outcome if standing is None else standing.get("outcome")


def _wrong_cost(name: str, cost: object) -> Refused:
    """The outcome is kept by now, without its cost."""
    expected = f"dollars from 0 to {MOST_COST_USD}"
    return Refused(
        "invalid_cost",
        f"cost_usd of {name}: expected {expected}, got {cost}. It was done, and its cost is not known.",
    )


def _unknown(name: str) -> Refused:
    return Refused(
        "outcome_unknown",
        f"Whether {name} happened is not known and it was not sent again. Look there, then redrive the job.",
    )

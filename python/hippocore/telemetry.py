"""OpenTelemetry, with the extra `otel`: a span and measurements of each event of `hippocore.events`.

    from hippocore import telemetry
    telemetry.install()  # to the process's providers; returns a function that takes it out again

A span "hippocore.recall" (or another verb) is a child of whatever span the caller is in. It begins and ends when the
verb did, and has the event's numbers and ids as attributes: never a content, a query or a scope. Measured are
"hippocore.duration" (seconds) of each verb and "hippocore.tokens" of each context. A verb that raises has neither.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

from hippocore import events
from hippocore.errors import MissingExtra

if TYPE_CHECKING:
    from opentelemetry.metrics import MeterProvider
    from opentelemetry.trace import TracerProvider

SCOPE: Final = "hippocore"
"""The name that tracer and meter go by, and that all names begin with."""


def install(
    *, tracer_provider: TracerProvider | None = None, meter_provider: MeterProvider | None = None
) -> Callable[[], None]:
    """Make spans and measurements of all layers' events from now on, by the given providers or the process's.

    Returns what takes it out again. Raises MissingExtra without the package.
    """
    try:
        from opentelemetry import metrics, trace
    except ImportError as error:
        raise MissingExtra('telemetry needs OpenTelemetry: pip install "hippocore[otel]"') from error
    tracer = trace.get_tracer(SCOPE, tracer_provider=tracer_provider)
    meter = metrics.get_meter(SCOPE, meter_provider=meter_provider)
    duration = meter.create_histogram(f"{SCOPE}.duration", unit="s", description="time that a verb took")
    tokens = meter.create_histogram(f"{SCOPE}.tokens", unit="{token}", description="tokens of a context")

    def observe(event: Mapping[str, Any]) -> None:
        end = time.time_ns()
        verb, seconds = event["verb"], event["seconds"]
        start = end - round(seconds * 1e9)
        tracer.start_span(f"{SCOPE}.{verb}", start_time=start, attributes=_attributes(event)).end(end_time=end)
        duration.record(seconds, {f"{SCOPE}.verb": verb})
        if "tokens" in event:
            tokens.record(event["tokens"])

    return events.listen(observe)


def _attributes(event: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a span can hold of an event: numbers, names and lists of them, None for nothing left out."""
    return {f"{SCOPE}.{name}": value for name, value in event.items() if value is not None and name != "seconds"}

"""OpenTelemetry: each event is a span where the caller is, and a measurement; nothing of a content."""

import asyncio
import sys

import pytest
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from hippocore import AsyncMemoryLayer, MissingExtra, telemetry


class Collected:
    """What was sent to providers of its own."""

    def __init__(self):
        self.exporter, self.reader = InMemorySpanExporter(), InMemoryMetricReader()
        self.traces, self.meters = TracerProvider(shutdown_on_exit=False), MeterProvider([self.reader])
        self.traces.add_span_processor(SimpleSpanProcessor(self.exporter))
        self.remove = telemetry.install(tracer_provider=self.traces, meter_provider=self.meters)

    @property
    def spans(self):
        return self.exporter.get_finished_spans()

    def points(self, name):
        found = self.reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics
        return [point for metric in found if metric.name == name for point in metric.data.data_points]


@pytest.fixture
def collected():
    found = Collected()
    yield found
    found.remove()
    found.meters.shutdown()


def test_a_verb_is_a_span_where_its_caller_is(layer, collected):
    with collected.traces.get_tracer("app").start_as_current_span("turn") as turn:
        done = layer.remember("the build failed")
        layer.recall("build")
    remembered, recalled, _ = collected.spans
    assert (remembered.name, recalled.name) == ("hippocore.remember", "hippocore.recall")
    assert remembered.parent.span_id == recalled.parent.span_id == turn.get_span_context().span_id
    assert turn.start_time <= remembered.start_time <= remembered.end_time <= recalled.end_time <= turn.end_time
    assert remembered.attributes["hippocore.action"] == "stored"
    assert recalled.attributes["hippocore.ids"] == (done.id,)
    assert "hippocore.agent" not in recalled.attributes


def test_an_async_verbs_span_has_the_same_parent(layer, collected):
    async def turn():
        with collected.traces.get_tracer("app").start_as_current_span("turn") as span:
            await AsyncMemoryLayer(layer).remember("the build failed")
        return span.get_span_context().span_id

    assert asyncio.run(turn()) == collected.spans[0].parent.span_id


def test_time_and_tokens_are_measured(layer, collected):
    layer.remember("the build failed")
    block = layer.context("build")
    layer.context("build")
    counts = {point.attributes["hippocore.verb"]: point.count for point in collected.points("hippocore.duration")}
    assert counts == {"remember": 1, "context": 2}
    (tokens,) = collected.points("hippocore.tokens")
    assert (tokens.count, tokens.sum) == (2, 2 * block.tokens)


def test_upkeep_is_told_too_and_nothing_of_a_content(layer, collected):
    for _ in range(3):
        layer.remember("the zanzibar wombat sings", scope="wombat", source="wombat", merge=False)
    layer.recall("wombat", scope="wombat")
    layer.consolidate(scope="wombat")
    assert collected.spans[-1].name == "hippocore.consolidate"
    assert collected.spans[-1].attributes["hippocore.made"] == 1
    assert "wombat" not in "".join(span.to_json() for span in collected.spans)


def test_what_was_taken_out_hears_no_more(layer, collected):
    collected.remove()
    layer.remember("tea")
    assert not collected.spans
    collected.remove = lambda: None


def test_without_the_package_it_says_which_extra_brings_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "opentelemetry", None)
    with pytest.raises(MissingExtra, match=r"hippocore\[otel\]"):
        telemetry.install()

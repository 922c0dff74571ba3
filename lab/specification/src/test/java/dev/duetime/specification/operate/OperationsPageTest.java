package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.metrics.TimerMetrics;
import dev.duetime.specification.StoppedClock;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The code of the operations page. */
class OperationsPageTest {
    private static final TimerKey KEY = TimerKey.of("a");
    private static final Duration HOUR = Duration.ofHours(1);

    private final ScheduleStore store = new InMemoryScheduleStore(new StoppedClock());
    private final Publisher publisher = batch -> {};

    @Test
    void metricsAreBoundByOneLine() {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .publisher(publisher)
                .listener(new TimerMetrics(registry))
                .build();
        scheduler.schedule(KEY, HOUR, null);

        assertThat(registry.scrape())
                .contains("duetime_timer_scheduled_total{outcome=\"created\",queue=\"default\",type=\"timer\"} 1.0");
    }

    @Test
    void tracesAreCarriedByOneLine() {
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .publisher(publisher)
                .propagation(
                        headers -> W3CTraceContextPropagator.getInstance().inject(Context.current(), headers, Map::put))
                .build();
        Span span = SdkTracerProvider.builder()
                .build()
                .get("test")
                .spanBuilder("request")
                .startSpan();
        try (Scope scope = span.makeCurrent()) {
            assertThat(scope).isNotNull();
            scheduler.schedule(KEY, HOUR, null);
        }

        StoredTimer stored = scheduler.find(KEY).orElseThrow();
        assertThat(stored.content().headers().get("traceparent"))
                .contains(span.getSpanContext().getTraceId());
    }
}

package dev.duetime.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Gauges for outages: 1 during an outage, 0 afterwards. A gauge is registered with its first outage. Thread-safe. */
final class OutageMeters {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Map<String, AtomicInteger> outages = new ConcurrentHashMap<>();

    OutageMeters(MeterRegistry registry, Tags tags) {
        this.registry = registry;
        this.tags = tags;
    }

    void began(String what) {
        outages.computeIfAbsent(what, this::register).set(1);
    }

    void over(String what) {
        outages.computeIfAbsent(what, this::register).set(0);
    }

    private AtomicInteger register(String what) {
        AtomicInteger away = new AtomicInteger();
        Gauge.builder("duetime.outage", away, AtomicInteger::get)
                .tags(tags.and("what", what))
                .description("1 while the store or a publisher lets nothing through, 0 afterwards")
                .register(registry);
        return away;
    }
}

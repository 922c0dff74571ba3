package dev.duetime.metrics;

import dev.duetime.ScheduleOutcome;
import dev.duetime.listener.ExpiryReason;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The counters for timers of one type in one queue. Thread-safe. */
final class TypeMeters {
    private final Map<ScheduleOutcome, Counter> scheduled = new EnumMap<>(ScheduleOutcome.class);
    private final Map<ExpiryReason, Counter> expired = new EnumMap<>(ExpiryReason.class);
    private final Counter rejected;
    private final Counter delivered;
    private final Counter failed;
    private final Counter retried;
    private final Counter dead;

    TypeMeters(MeterRegistry registry, Tags tags) {
        for (ScheduleOutcome outcome : ScheduleOutcome.values()) {
            scheduled.put(
                    outcome,
                    counter(registry, "scheduled", "schedules by what they did", tags.and("outcome", tag(outcome))));
        }
        for (ExpiryReason reason : ExpiryReason.values()) {
            expired.put(
                    reason,
                    counter(registry, "expired", "timers ended by their deadline", tags.and("reason", tag(reason))));
        }
        rejected = counter(registry, "rejected", "schedules refused: their deadline had passed", tags);
        delivered = counter(registry, "delivered", "envelopes accepted by the publisher", tags);
        failed = counter(registry, "failed", "deliveries that failed while others got through", tags);
        retried = counter(registry, "retried", "failed deliveries that are tried again", tags);
        dead = counter(registry, "dead", "timers given up", tags);
    }

    private static Counter counter(MeterRegistry registry, String name, String description, Tags tags) {
        return Counter.builder("duetime.timer." + name)
                .description(description)
                .tags(tags)
                .register(registry);
    }

    /** Returns an enum constant as the value of a tag. */
    static String tag(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    void scheduled(ScheduleOutcome outcome) {
        increment(scheduled.get(outcome));
    }

    void rejected() {
        rejected.increment();
    }

    void delivered() {
        delivered.increment();
    }

    void failed(boolean again) {
        failed.increment();
        if (again) {
            retried.increment();
        }
    }

    void expired(ExpiryReason reason, int count) {
        Counter counter = expired.get(reason);
        if (counter != null) {
            counter.increment(count);
        }
    }

    void dead() {
        dead.increment();
    }

    private static void increment(@Nullable Counter counter) {
        if (counter != null) {
            counter.increment();
        }
    }
}

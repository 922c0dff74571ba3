package dev.duetime.testkit.contract;

import dev.duetime.Payload;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.store.NewTimer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A builder of the timer that a contract test schedules. Not thread-safe. */
final class TimerDraft {
    private static final AtomicLong GENERATIONS = new AtomicLong(1_000_000);

    private final TimerKey key;

    // Mutable state of the thread that drafts.
    private int shard;
    private String queue;
    private Instant dueAt = ContractPart.NOW;
    private @Nullable Instant expiresAt;
    private String type = "test";
    private Payload payload = Payload.NONE;
    private Map<String, String> headers = Map.of();
    private int priority;
    private @Nullable String correlationId;
    private @Nullable String parallelKey;
    private @Nullable String correlationKey;
    private @Nullable String recurrence;
    private @Nullable CatchUp catchUp;
    private @Nullable String step;
    private Instant registeredAt = ContractPart.NOW.minusSeconds(3_600);
    private boolean rearm;

    TimerDraft(TimerKey key, String queue) {
        this.key = key;
        this.queue = queue;
    }

    /** Returns the timer, each time with a new generation. */
    NewTimer build() {
        return build(nextGeneration());
    }

    static long nextGeneration() {
        return GENERATIONS.incrementAndGet();
    }

    NewTimer build(long generation) {
        TimerContent content = new TimerContent(
                queue,
                dueAt,
                expiresAt,
                type,
                payload,
                headers,
                priority,
                correlationId,
                parallelKey,
                correlationKey,
                recurrence,
                catchUp,
                step);
        return new NewTimer(key, shard, content, generation, registeredAt, rearm);
    }

    TimerDraft shard(int number) {
        shard = number;
        return this;
    }

    TimerDraft queue(String name) {
        queue = name;
        return this;
    }

    TimerDraft dueAt(Instant instant) {
        dueAt = instant;
        return this;
    }

    TimerDraft expiresAt(@Nullable Instant instant) {
        expiresAt = instant;
        return this;
    }

    TimerDraft type(String name) {
        type = name;
        return this;
    }

    TimerDraft payload(String text) {
        return payload(text.getBytes(StandardCharsets.UTF_8));
    }

    TimerDraft payload(byte[] bytes) {
        payload = Payload.of(bytes);
        return this;
    }

    TimerDraft headers(Map<String, String> all) {
        headers = all;
        return this;
    }

    TimerDraft priority(int number) {
        priority = number;
        return this;
    }

    TimerDraft correlationId(@Nullable String id) {
        correlationId = id;
        return this;
    }

    TimerDraft parallelKey(@Nullable String name) {
        parallelKey = name;
        return this;
    }

    TimerDraft correlationKey(@Nullable String name) {
        correlationKey = name;
        return this;
    }

    TimerDraft recurrence(@Nullable String rule) {
        recurrence = rule;
        return this;
    }

    TimerDraft catchUp(@Nullable CatchUp missed) {
        catchUp = missed;
        return this;
    }

    TimerDraft step(@Nullable String name) {
        step = name;
        return this;
    }

    TimerDraft registeredAt(Instant instant) {
        registeredAt = instant;
        return this;
    }

    TimerDraft rearm() {
        rearm = true;
        return this;
    }
}

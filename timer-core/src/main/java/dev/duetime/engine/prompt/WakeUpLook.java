package dev.duetime.engine.prompt;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.store.WakeUps.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The look for hints of other nodes, by one short read for all queues. It looks every 250 ms while hints come, and once
 * a second when none has come for ten seconds. The first look finds all hints that were ever sent, and wakes the loops
 * once. Used by one thread.
 */
final class WakeUpLook {
    static final Duration SOON = Duration.ofMillis(250);
    static final Duration IDLE = Duration.ofSeconds(1);
    static final Duration BUSY_FOR = Duration.ofSeconds(10);

    private final WakeUps wakeUps;
    private final Clock clock;
    private final BiConsumer<String, Instant> wake;
    private final Consumer<Instant> watched;
    private final Runnable moved;
    private final Map<String, Long> counts = new HashMap<>();

    private long lookNanos;
    private long busyUntilNanos;
    private final Outage outage;

    /**
     * Creates the look of a node.
     *
     * @param wake called with a queue, and when its loop must read; {@link Instant#MIN} for at once
     * @param watched called with the time until when somebody looks at samples, in each look
     * @param moved called if shards may have moved
     */
    WakeUpLook(
            WakeUps wakeUps,
            Clock clock,
            Outage outage,
            BiConsumer<String, Instant> wake,
            Consumer<Instant> watched,
            Runnable moved) {
        this.wakeUps = wakeUps;
        this.clock = clock;
        this.outage = outage;
        this.wake = wake;
        this.watched = watched;
        this.moved = moved;
        lookNanos = clock.nanoTime();
        busyUntilNanos = lookNanos;
    }

    /** Looks at once, whenever the last look was. Returns when to call again. */
    Instant lookNow() {
        lookNanos = clock.nanoTime();
        return look();
    }

    /** Looks, if it is time to. Returns when to call again. */
    Instant look() {
        long now = clock.nanoTime();
        if (now - lookNanos >= 0) {
            try {
                busyUntilNanos = read() ? now + BUSY_FOR.toNanos() : busyUntilNanos;
                outage.over(clock.now());
            } catch (StoreException | OutOfMemoryError e) {
                Instant retryAt = outage.failed(e, clock.now());
                lookNanos = now + Duration.between(clock.now(), retryAt).toNanos();
                return retryAt;
            }
            lookNanos = now + (isBusy(now) ? SOON : IDLE).toNanos();
        }
        return clock.now().plusNanos(Math.max(0, lookNanos - clock.nanoTime()));
    }

    private boolean isBusy(long now) {
        return now - busyUntilNanos < 0;
    }

    private boolean read() {
        boolean any = false;
        for (Sent sent : wakeUps.sent()) {
            if (sent.queue().equals(WakeUps.WATCHED)) {
                watched.accept(sent.dueAt());
                continue;
            }
            long before = counts.getOrDefault(sent.queue(), 0L);
            counts.put(sent.queue(), sent.count());
            if (sent.count() != before) {
                any = true;
                boolean one = sent.count() == before + 1;
                boolean atShards = sent.dueAt().equals(WakeUp.NO_TIMER);
                if (!one || atShards) {
                    moved.run();
                }
                if (!one || !atShards) {
                    wake.accept(sent.queue(), one ? sent.dueAt() : Instant.MIN);
                }
            }
        }
        return any;
    }

    /** Returns whether looks find nothing until something is written to the store. */
    boolean isIdle() {
        return outage.ongoing() == null && !isBusy(clock.nanoTime());
    }

    /** Sets the state as if the looks before now had found nothing. */
    void leftOut() {
        long last = LeftOutTurns.last(lookNanos, IDLE, clock);
        lookNanos = last == Long.MIN_VALUE ? lookNanos : last + IDLE.toNanos();
    }
}

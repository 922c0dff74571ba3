package dev.duetime.engine.prompt;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.report.Outage;
import dev.duetime.engine.time.LeftOutTurns;
import dev.duetime.internal.Times;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.store.WakeUps.Sent;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The poll for hints of other nodes, by one short read for all queues. It reads every 250 ms while hints come, and once
 * a second when none has come for ten seconds. The first read finds all hints that were ever sent, and wakes the loops
 * once. If several hints of a queue have come since the last read, only the time of the last one is known. Most timers
 * of the others are due since the last read, or later. Used by one thread.
 */
final class WakeUpPoll {
    static final Duration SOON = Duration.ofMillis(250);
    static final Duration IDLE = Duration.ofSeconds(1);
    static final Duration BUSY_FOR = Duration.ofSeconds(10);

    /** So long before the last read a timer may have been due whose hint has come since. */
    private static final Duration BEFORE = Duration.ofSeconds(1);

    private final WakeUps wakeUps;
    private final Clock clock;
    private final BiConsumer<String, Instant> wake;
    private final Consumer<Instant> watched;
    private final Runnable moved;
    private final Map<String, Long> counts = new HashMap<>();

    private long nextNanos;
    private long busyUntilNanos;

    /** When the last read began that succeeded; {@link Instant#MIN} before. */
    private Instant readAt = Instant.MIN;

    private final Outage outage;

    /**
     * Creates the poll of a node.
     *
     * @param wake called with a queue, and when its loop must read; {@link Instant#MIN} for all that is due
     * @param watched called in each read with the time until which samples are watched
     * @param moved called if shards may have moved
     */
    WakeUpPoll(
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
        nextNanos = clock.nanoTime();
        busyUntilNanos = nextNanos;
    }

    /** Reads at once, whenever the last read was. Returns when to call again. */
    Instant pollNow() {
        nextNanos = clock.nanoTime();
        return poll();
    }

    /** Reads, if it is time to. Returns when to call again. */
    Instant poll() {
        long now = clock.nanoTime();
        if (now - nextNanos >= 0) {
            try {
                busyUntilNanos = read() ? now + BUSY_FOR.toNanos() : busyUntilNanos;
                outage.over(clock.now());
            } catch (StoreException | OutOfMemoryError e) {
                Instant retryAt = outage.failed(e, clock.now());
                nextNanos = now + Duration.between(clock.now(), retryAt).toNanos();
                return retryAt;
            }
            nextNanos = now + (isBusy(now) ? SOON : IDLE).toNanos();
        }
        return clock.now().plusNanos(Math.max(0, nextNanos - clock.nanoTime()));
    }

    private boolean isBusy(long now) {
        return now - busyUntilNanos < 0;
    }

    private boolean read() {
        boolean any = false;
        Instant now = clock.now();
        List<Sent> all = wakeUps.sent();
        Instant since = readAt.equals(Instant.MIN) ? readAt : readAt.minus(BEFORE);
        for (Sent sent : all) {
            if (sent.queue().equals(WakeUps.WATCHED)) {
                watched.accept(sent.dueAt());
                continue;
            }
            long before = counts.getOrDefault(sent.queue(), 0L);
            if (sent.count() != before) {
                any = true;
                boolean one = sent.count() == before + 1;
                boolean atShards = sent.dueAt().equals(WakeUp.NO_TIMER);
                if (!one || atShards) {
                    moved.run();
                }
                if (!one || !atShards) {
                    wake.accept(sent.queue(), one ? sent.dueAt() : Times.earlier(sent.dueAt(), since));
                }
            }
            // Only now: if an error breaks off the wake-up, the next read repeats it.
            counts.put(sent.queue(), sent.count());
        }
        readAt = now;
        return any;
    }

    /** Returns whether reads find nothing until something is written to the store. */
    boolean isIdle() {
        return outage.ongoing() == null && !isBusy(clock.nanoTime());
    }

    /** Sets the state as if the reads before now had found nothing. */
    void leftOut() {
        long last = LeftOutTurns.last(nextNanos, IDLE, clock);
        if (last != Long.MIN_VALUE) {
            nextNanos = last + IDLE.toNanos();
            readAt = LeftOutTurns.at(last, clock);
        }
    }
}

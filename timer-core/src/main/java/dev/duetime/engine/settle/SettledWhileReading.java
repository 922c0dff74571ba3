package dev.duetime.engine.settle;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.store.DueTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The settlement of one batch in the background, while the loop reads the next one. Used by the loop's thread. */
public final class SettledWhileReading {
    /** Timers whose read is older than this are read again. */
    private static final long FRESH_NANOS = Duration.ofMillis(500).toNanos();

    private final Settler settler;
    private final InFlight inFlight;
    private final Clock clock;
    private final long freshNanos;

    /** The latest due time of the timers that are being settled in the background. */
    private Instant settlingTo = Instant.MAX;

    public SettledWhileReading(Settler settler, InFlight inFlight, Clock clock, Duration leaseDuration) {
        this.settler = settler;
        this.inFlight = inFlight;
        this.clock = clock;
        freshNanos = Math.min(FRESH_NANOS, leaseDuration.toNanos() / 3);
    }

    /** Begins to settle what was read, of which all was delivered. */
    public void begin(DueTimers due) {
        settlingTo =
                Objects.requireNonNull(due.timers().get(due.timers().size() - 1).wakeAt());
        settler.begin();
    }

    /**
     * Waits until the previous batch is settled. The current read began before that, so it may show old states of that
     * batch. If the wait was long, it may show old states of other timers, too. Then this returns null, and the read
     * must be repeated.
     */
    public @Nullable DueTimers after(DueTimers read) {
        long began = clock.nanoTime();
        List<StoredTimer> timers = read.timers();
        int known = 0;
        while (known < timers.size() && !wakesAfter(timers.get(known), settlingTo)) {
            known++;
        }
        List<StoredTimer> others = new ArrayList<>(inFlight.others(timers.subList(0, known)));
        others.addAll(timers.subList(known, timers.size()));
        settler.flush();
        return clock.nanoTime() - began <= freshNanos ? new DueTimers(others, read.undecodable(), read.more()) : null;
    }

    private static boolean wakesAfter(StoredTimer timer, Instant time) {
        return timer.wakeAt() != null && timer.wakeAt().isAfter(time);
    }

    /** Returns whether the next read, which begins at the time of the last timer, is likely to return other timers. */
    public static boolean isAlongTime(DueTimers due) {
        List<StoredTimer> timers = due.timers();
        int size = timers.size();
        return due.more()
                && size > 1
                && !Objects.equals(
                        timers.get(size / 2).wakeAt(), timers.get(size - 1).wakeAt());
    }
}

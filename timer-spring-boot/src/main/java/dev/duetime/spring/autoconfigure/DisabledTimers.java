package dev.duetime.spring.autoconfigure;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.SystemClock;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.Timers;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The timers of an application without a scheduler. They store nothing and find nothing. Thread-safe. */
final class DisabledTimers implements Timers {
    private final boolean fails;
    private final SystemClock clock = new SystemClock();

    /**
     * Creates the timers.
     *
     * @param fails whether each call throws, so that no caller believes that a timer was stored
     */
    DisabledTimers(boolean fails) {
        this.fails = fails;
    }

    /** Returns a true result: nothing was written, and there is no timer. */
    @Override
    public List<ScheduleResult> scheduleAll(Collection<Timer> timers) {
        check();
        return timers.stream()
                .map(each -> new ScheduleResult(each.key(), ScheduleOutcome.IGNORED, TimerState.CANCELLED, 0))
                .toList();
    }

    @Override
    public CancelResult cancel(TimerKey key) {
        check();
        return CancelResult.NOT_FOUND;
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        check();
        return Optional.empty();
    }

    @Override
    public Instant now() {
        check();
        return clock.now();
    }

    private void check() {
        if (fails) {
            throw new IllegalStateException("duetime.enabled must be true to use timers but was false;"
                    + " duetime.when-disabled=ignore makes calls do nothing");
        }
    }
}

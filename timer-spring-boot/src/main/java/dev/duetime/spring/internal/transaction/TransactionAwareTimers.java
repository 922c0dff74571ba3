package dev.duetime.spring.internal.transaction;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Timers that join the transaction which Spring manages for the current thread. Without a transaction each call commits
 * by itself. If the transaction is not on the timers' data source, calls are refused, because they would neither commit
 * nor roll back with it.
 *
 * <p>They look up the scheduler when they are first used. So they can be injected into the handlers with which the
 * scheduler is built. Thread-safe.
 */
public final class TransactionAwareTimers implements Timers {
    private final Supplier<Scheduler> scheduler;

    public TransactionAwareTimers(Supplier<Scheduler> scheduler) {
        this.scheduler = scheduler;
    }

    private Timers current() {
        Scheduler through = scheduler.get();
        return through.callersTransaction().<Timers>map(through::in).orElse(through);
    }

    @Override
    public List<ScheduleResult> scheduleAll(Collection<Timer> timers) {
        return current().scheduleAll(timers);
    }

    @Override
    public CancelResult cancel(TimerKey key) {
        return current().cancel(key);
    }

    @Override
    public Optional<StoredTimer> find(TimerKey key) {
        return current().find(key);
    }

    @Override
    public Instant now() {
        return current().now();
    }
}

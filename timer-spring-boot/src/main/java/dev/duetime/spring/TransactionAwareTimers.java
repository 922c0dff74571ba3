package dev.duetime.spring;

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
 * Joins the transaction that Spring manages for the current thread; without one each call commits by itself. In a
 * transaction that is not of the timers' data source calls are refused, since they would neither commit nor roll back
 * with it.
 *
 * <p>Asks for the scheduler when it is first used: so the handlers that the scheduler is built with can have it
 * injected. Thread-safe.
 */
final class TransactionAwareTimers implements Timers {
    private final Supplier<Scheduler> scheduler;

    TransactionAwareTimers(Supplier<Scheduler> scheduler) {
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

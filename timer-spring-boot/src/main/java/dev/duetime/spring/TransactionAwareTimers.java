package dev.duetime.spring;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.Timers;
import dev.duetime.jdbc.JdbcTransaction;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Joins the transaction that Spring manages for the current thread; without one each call commits by itself. In a transaction
 * that is not of the timers' data source calls are refused, since they would neither commit nor roll back with it.
 *
 * <p>Asks for the scheduler when it is first used: so the handlers that the scheduler is built with can have it injected.
 * Thread-safe.
 */
final class TransactionAwareTimers implements Timers {
    private final Supplier<Scheduler> scheduler;
    private final JdbcTransaction transaction;

    TransactionAwareTimers(Supplier<Scheduler> scheduler, DataSource dataSource) {
        this.scheduler = scheduler;
        this.transaction = JdbcTransaction.managed(new TransactionAwareDataSourceProxy(dataSource));
    }

    private Timers current() {
        return TransactionSynchronizationManager.isActualTransactionActive()
                ? scheduler.get().in(transaction)
                : scheduler.get();
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

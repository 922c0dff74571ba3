package dev.duetime.lab.benchmark.contestant;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.SchedulerBuilder;
import com.github.kagkarlsson.scheduler.SchedulerName;
import com.github.kagkarlsson.scheduler.event.AbstractSchedulerListener;
import com.github.kagkarlsson.scheduler.task.ExecutionComplete;
import com.github.kagkarlsson.scheduler.task.SchedulableInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The db-scheduler library as its README advises for high throughput: lock-and-fetch where available (PostgreSQL), four
 * times as many executions as threads, batch scheduling. It is also tried with the settings of its author's own
 * measurements: 20 and 100 threads, and 20 and 6 times as many executions. It polls every 100 ms, for a fair lateness.
 */
final class DbScheduler implements Contestant {
    private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

    private final Site site;
    private final OneTimeTask<String> task;
    private final Scheduler scheduler;

    DbScheduler(Site site) throws SQLException {
        this.site = site;
        if (site.share().node() == 0) {
            try (Connection connection = site.dataSource().getConnection()) {
                Sql.script(
                        connection, Sql.resource("db-scheduler/" + site.kind().statements() + ".sql"));
            }
        }
        task = Tasks.oneTime("timer", String.class).execute((instance, context) -> {
            try {
                site.deliveries().take(1, i -> context.getExecution().executionTime);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        SchedulerBuilder builder = Scheduler.create(site.dataSource(), task)
                .schedulerName(new SchedulerName.Fixed("node-" + site.share().node()))
                .threads(site.tuning().threads())
                .pollingInterval(POLL_INTERVAL)
                .alwaysPersistTimestampInUTC()
                .shutdownMaxWait(Duration.ofSeconds(10))
                .addSchedulerListener(new Completions());
        double upperLimit = (double) site.tuning().batch() / site.tuning().threads();
        double lowerLimit = (double) site.tuning().refill() / site.tuning().threads();
        if (site.kind() == DatabaseKind.POSTGRES) {
            builder.pollUsingLockAndFetch(lowerLimit, upperLimit);
        } else {
            builder.pollUsingFetch(lowerLimit, upperLimit);
        }
        scheduler = builder.build();
    }

    @Override
    public void schedule(List<Entry> timers) {
        if (timers.size() == 1) {
            Entry timer = timers.get(0);
            scheduler.scheduleIfNotExists(task.instance(timer.id(), Entry.PAYLOAD), timer.dueAt());
        } else {
            scheduler.scheduleBatch(timers.stream()
                    .map(timer -> SchedulableInstance.of(task.instance(timer.id(), Entry.PAYLOAD), timer.dueAt()))
                    .collect(Collectors.toList()));
        }
    }

    @Override
    public void start() {
        scheduler.start();
    }

    @Override
    public boolean isSettled() {
        return site.deliveries().settledCount() >= site.deliveries().count();
    }

    @Override
    public PendingTimers pending() {
        return new PendingTimers(
                List.of(new PendingTimers.Table("scheduled_tasks", Map.of("task_instance", "given.k"))));
    }

    @Override
    public void close() {
        scheduler.stop();
    }

    /** A count of executions whose rows are deleted. */
    private final class Completions extends AbstractSchedulerListener {
        @Override
        public void onExecutionComplete(ExecutionComplete complete) {
            site.deliveries().settled();
        }
    }
}

package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.SchedulerRepository;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.jdbcjobstore.JobStoreTX;
import org.quartz.impl.jdbcjobstore.PostgreSQLDelegate;
import org.quartz.impl.jdbcjobstore.StdJDBCDelegate;
import org.quartz.simpl.SimpleThreadPool;
import org.quartz.utils.ConnectionProvider;
import org.quartz.utils.DBConnectionManager;

/**
 * Quartz, clustered in JobStoreTX. It acquires as many triggers at once as it has threads. There is one durable job and
 * a trigger for each timer, as cheap as possible. Late triggers are fired and not treated as misfires.
 */
final class Quartz implements Contestant {
    private static final JobDetail JOB = JobBuilder.newJob(Delivery.class)
            .withIdentity("timer")
            .storeDurably()
            .build();

    private final Site site;
    private final Scheduler scheduler;

    Quartz(Site site) throws SQLException, SchedulerException {
        this.site = site;
        if (site.share().node() == 0) {
            createTables();
        }
        scheduler = scheduler();
        if (site.share().node() == 0) {
            scheduler.addJob(JOB, true);
        }
    }

    private void createTables() throws SQLException {
        String tables = switch (site.kind()) {
            case POSTGRES -> "tables_postgres.sql";
            case MARIADB, MYSQL -> "tables_mysql_innodb.sql";
            case H2 -> "tables_h2.sql";
            case SQLITE -> throw new IllegalArgumentException("Quartz does not run on SQLite");
        };
        try (Connection connection = site.dataSource().getConnection()) {
            Sql.script(connection, Sql.resource("/org/quartz/impl/jdbcjobstore/" + tables));
        }
    }

    private Scheduler scheduler() throws SchedulerException {
        String pool = UUID.randomUUID().toString();
        DBConnectionManager.getInstance().addConnectionProvider(pool, new Pool(site.dataSource()));
        String threads = Integer.toString(site.tuning().threads());
        Properties properties = new Properties();
        properties.putAll(Map.of(
                "org.quartz.scheduler.instanceName",
                "benchmark",
                "org.quartz.scheduler.instanceId",
                "node-" + site.share().node(),
                "org.quartz.scheduler.batchTriggerAcquisitionMaxCount",
                threads,
                "org.quartz.threadPool.class",
                SimpleThreadPool.class.getName(),
                "org.quartz.threadPool.threadCount",
                threads));
        properties.putAll(Map.of(
                "org.quartz.jobStore.class",
                JobStoreTX.class.getName(),
                "org.quartz.jobStore.driverDelegateClass",
                (site.kind() == DatabaseKind.POSTGRES ? PostgreSQLDelegate.class : StdJDBCDelegate.class).getName(),
                "org.quartz.jobStore.isClustered",
                "true",
                "org.quartz.jobStore.acquireTriggersWithinLock",
                "true",
                "org.quartz.jobStore.useProperties",
                "true",
                "org.quartz.jobStore.dataSource",
                pool));
        Scheduler created = new StdSchedulerFactory(properties).getScheduler();
        // Quartz would take several nodes of a cluster in one process for one scheduler.
        SchedulerRepository.getInstance().remove("benchmark");
        created.setJobFactory((bundle, self) -> new Delivery(site.deliveries()));
        return created;
    }

    @Override
    public void schedule(List<Entry> timers) throws SchedulerException {
        if (timers.size() == 1) {
            scheduler.scheduleJob(trigger(timers.get(0)));
        } else {
            Set<Trigger> triggers = timers.stream().map(Quartz::trigger).collect(Collectors.toSet());
            scheduler.scheduleJobs(Map.of(JOB, triggers), true);
        }
    }

    private static Trigger trigger(Entry timer) {
        return TriggerBuilder.newTrigger()
                .withIdentity(timer.id())
                .forJob(JOB)
                .usingJobData("payload", Entry.PAYLOAD)
                .startAt(Date.from(timer.dueAt()))
                .withSchedule(SimpleScheduleBuilder.simpleSchedule().withMisfireHandlingInstructionIgnoreMisfires())
                .build();
    }

    @Override
    public void start() throws SchedulerException {
        scheduler.start();
    }

    @Override
    public boolean isSettled() throws SQLException {
        try (Connection connection = site.dataSource().getConnection()) {
            return Sql.value(connection, "SELECT 1 FROM qrtz_fired_triggers LIMIT 1")
                    .isEmpty();
        }
    }

    @Override
    public PendingTimers pending() {
        Map<String, String> key = Map.of("trigger_name", "given.k");
        return new PendingTimers(List.of(
                new PendingTimers.Table("qrtz_triggers", key), new PendingTimers.Table("qrtz_simple_triggers", key)));
    }

    @Override
    public void close() {
        try {
            scheduler.shutdown(true);
        } catch (SchedulerException e) {
            throw new IllegalStateException(e);
        }
    }

    /** The job that passes one timer to the deliveries. */
    static final class Delivery implements Job {
        private final Deliveries deliveries;

        Delivery(Deliveries deliveries) {
            this.deliveries = deliveries;
        }

        @Override
        public void execute(org.quartz.JobExecutionContext context) {
            try {
                deliveries.take(
                        1,
                        i -> Objects.requireNonNull(context.getScheduledFireTime())
                                .toInstant());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private record Pool(DataSource dataSource) implements ConnectionProvider {
        @Override
        public Connection getConnection() throws SQLException {
            return dataSource.getConnection();
        }

        @Override
        public void initialize() {
            // The pool is open.
        }

        @Override
        public void shutdown() {
            // The code that opened the pool closes it.
        }
    }
}

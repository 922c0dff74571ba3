package dev.duetime.lab.benchmark.contestant;

import dev.duetime.lab.benchmark.database.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.jobs.mappers.JobMapper;
import org.jobrunr.scheduling.JobBuilder;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServer;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.server.JobActivator;
import org.jobrunr.storage.StorageProvider;
import org.jobrunr.storage.sql.common.SqlStorageProviderFactory;
import org.jobrunr.utils.mapper.JsonMapper;
import org.jobrunr.utils.mapper.jackson3.Jackson3JsonMapper;

/**
 * JobRunr with job requests, which cost less than lambdas, and the smallest interval that it allows. Scheduled jobs are
 * enqueued up to that interval before they are due, and may then run early.
 */
final class JobRunrServer implements Contestant {
    private static final Duration SMALLEST_POLL_INTERVAL = Duration.ofSeconds(5);

    private final Site site;
    private final StorageProvider storage;
    private final JobRequestScheduler scheduler;
    private final BackgroundJobServer server;

    JobRunrServer(Site site) {
        this.site = site;
        JsonMapper json = new Jackson3JsonMapper();
        storage = SqlStorageProviderFactory.using(site.dataSource());
        storage.setJobMapper(new JobMapper(json));
        scheduler = new JobRequestScheduler(storage);
        server = new BackgroundJobServer(
                storage,
                json,
                new Handlers(site.deliveries()),
                BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                        .andName("node-" + site.share().node())
                        .andPollInterval(SMALLEST_POLL_INTERVAL)
                        .andScheduledJobsRequestSize(site.tuning().batch())
                        .andWorkerCount(site.tuning().threads()));
    }

    @Override
    public void schedule(List<Entry> timers) {
        if (timers.size() == 1) {
            Entry timer = timers.get(0);
            scheduler.schedule(UUID.fromString(timer.id()), timer.dueAt(), request(timer));
        } else {
            scheduler.create(timers.stream()
                    .map(timer -> JobBuilder.aJob()
                            .withId(UUID.fromString(timer.id()))
                            .scheduleAt(timer.dueAt())
                            .withJobRequest(request(timer))));
        }
    }

    private static Reminder request(Entry timer) {
        return new Reminder(timer.dueMicros(), Entry.PAYLOAD);
    }

    @Override
    public void start() {
        server.start();
    }

    @Override
    public boolean isSettled() throws SQLException {
        try (Connection connection = site.dataSource().getConnection()) {
            return Sql.value(connection, "SELECT 1 FROM jobrunr_jobs WHERE state IN ('ENQUEUED', 'PROCESSING') LIMIT 1")
                    .isEmpty();
        }
    }

    @Override
    public PendingTimers pending() {
        return new PendingTimers(List.of(new PendingTimers.Table(
                "jobrunr_jobs",
                Map.of("id", "given.k", "jobasjson", "replace(template.jobAsJson, template.id, given.k)"))));
    }

    @Override
    public void close() {
        server.stop();
        storage.close();
    }

    /**
     * The request that JobRunr stores.
     *
     * @param dueMicros when it is due, in microseconds since 1970
     * @param payload as for the others
     */
    public record Reminder(long dueMicros, String payload) implements JobRequest {
        @Override
        public Class<Delivery> getJobRequestHandler() {
            return Delivery.class;
        }
    }

    /** The handler that passes one timer to the deliveries. */
    public static final class Delivery implements JobRequestHandler<Reminder> {
        private final Deliveries deliveries;

        Delivery(Deliveries deliveries) {
            this.deliveries = deliveries;
        }

        @Override
        public void run(Reminder reminder) throws InterruptedException {
            deliveries.take(1, i -> Instant.EPOCH.plus(reminder.dueMicros(), ChronoUnit.MICROS));
        }
    }

    private record Handlers(Deliveries deliveries) implements JobActivator {
        @Override
        public <T> T activateJob(Class<T> type) {
            return type.cast(new Delivery(deliveries));
        }
    }
}

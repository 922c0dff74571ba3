package dev.duetime.lab.benchmark.contestant;

import dev.duetime.Payload;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.TimerListener;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Duetime with its default settings, except for the retention, which the variant sets. */
public final class Duetime implements Contestant {
    private final Site site;
    private final JdbcScheduleStore store;
    private final Scheduler scheduler;

    Duetime(Site site) {
        this.site = site;
        store = JdbcScheduleStore.of(site.dataSource());
        SchedulerBuilder builder = Scheduler.builder()
                .store(store)
                .concurrency(site.calls())
                .hints(site.hints())
                .publisher(batch -> site.deliveries()
                        .take(batch.size(), i -> batch.get(i).event().dueAt()));
        if (site.deliveries().countsExpired()) {
            builder.listener(new TimerListener() {
                @Override
                public boolean wantsEachExpired() {
                    return site.deliveries().wantsEachExpired();
                }

                @Override
                public void expired(StoredTimer timer, ExpiryReason reason) {
                    site.deliveries().expired(1);
                }

                @Override
                public void expired(String queue, String type, int count) {
                    site.deliveries().expired(count);
                }
            });
        }
        scheduler = (site.keep() ? builder : builder.retention(Duration.ZERO)).build();
    }

    @Override
    public void schedule(List<Entry> timers) {
        if (timers.size() == 1) {
            scheduler.schedule(timer(timers.get(0)));
        } else {
            scheduler.scheduleAll(timers.stream().map(Duetime::timer).toList());
        }
    }

    private static Timer timer(Entry entry) {
        return Timer.at(TimerKey.of(Entry.TENANT, entry.id()), entry.dueAt())
                .payload(Payload.wrap(Entry.PAYLOAD_BYTES))
                .build();
    }

    @Override
    public void start() {
        scheduler.start();
    }

    @Override
    public boolean isReady(int nodes) throws SQLException {
        return TimerTable.isShared(site.dataSource(), shards(), nodes);
    }

    @Override
    public boolean isSettled() throws SQLException {
        return TimerTable.isSettled(site.dataSource(), shards());
    }

    @Override
    public PendingTimers pending() {
        return TimerTable.pending(shards());
    }

    /** Returns how the table is filled with timers that were delivered and are kept. */
    public static PendingTimers ended(DatabaseKind kind) {
        return TimerTable.ended(shards(kind));
    }

    @Override
    public boolean lookUpNextDue() {
        List<Integer> shards = IntStream.range(0, shards()).boxed().toList();
        return store.nextDue(Timer.DEFAULT_QUEUE, shards, Instant.now()).wakeAt() != null;
    }

    private int shards() {
        return shards(site.kind());
    }

    private static int shards(DatabaseKind kind) {
        return kind.isEmbedded() ? 4 : 64;
    }

    @Override
    public void close() {
        scheduler.close();
    }
}

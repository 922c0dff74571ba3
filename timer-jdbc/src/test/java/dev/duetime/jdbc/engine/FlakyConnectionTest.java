package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FlakyDataSource;
import dev.duetime.jdbc.database.FlakyDataSource.Point;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ShardLeases;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The real engine, with threads, on connections that fail by chance, for callers that repeat what was not answered. */
class FlakyConnectionTest {
    private static final int CALLERS = 4;
    private static final int TIMERS_A_CALLER = 80;
    private static final double CHANCE = 0.03;
    private static final Duration SOON = Duration.ofMillis(1_500);
    private static final Duration LATER = Duration.ofDays(1);

    /** A delivery, and the database's time when it began. */
    private record Delivery(Envelope envelope, Instant at) {}

    @ParameterizedTest
    @EnumSource
    void failingConnectionsLoseNothingAndCauseNoEarlyDeliveryOrSecondId(Database kind) throws Exception {
        long seed = System.nanoTime();
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            ShardLeases sound = JdbcScheduleStore.of(pool).leases();
            FlakyDataSource flaky = new FlakyDataSource(pool, seed, CHANCE);
            BlockingQueue<Delivery> deliveries = new LinkedBlockingQueue<>();
            try (Scheduler scheduler = Scheduler.builder()
                    .store(JdbcScheduleStore.builder(flaky).migrate(false).build())
                    .publisher(batch -> {
                        Instant now = sound.now();
                        batch.forEach(each -> deliveries.add(new Delivery(each, now)));
                    })
                    .batchSize(20)
                    .build()) {
                flaky.begin();
                scheduler.start();
                Map<TimerKey, ScheduleResult> accepted = callers(scheduler, sound.now());

                Set<String> delivered = new HashSet<>();
                while (delivered.size() < accepted.size() / 2) {
                    Delivery next = deliveries.poll(60, TimeUnit.SECONDS);
                    assertThat(next)
                            .as("seed %d, after %d deliveries", seed, delivered.size())
                            .isNotNull();
                    assertThat(next.at).isAfterOrEqualTo(next.envelope.event().dueAt());
                    delivered.add(next.envelope.id());
                }

                Set<String> ids = accepted.values().stream()
                        .map(ScheduleResult::envelopeId)
                        .collect(Collectors.toSet());
                assertThat(ids)
                        .as("seed %d", seed)
                        .hasSize(CALLERS * TIMERS_A_CALLER)
                        .containsAll(delivered);
                accepted.values().stream()
                        .filter(each -> !delivered.contains(each.envelopeId()))
                        .forEach(each -> assertThat(repeated(() -> scheduler.find(each.key())))
                                .as("seed %d", seed)
                                .map(StoredTimer::generation)
                                .hasValue(each.generation()));
                assertThat(Point.values())
                        .allSatisfy(each -> assertThat(flaky.failures(each))
                                .as("failures %s", each)
                                .isPositive());
            }
        }
    }

    private static Map<TimerKey, ScheduleResult> callers(Scheduler scheduler, Instant now) throws Exception {
        Map<TimerKey, ScheduleResult> accepted = new ConcurrentHashMap<>();
        ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CALLERS; i++) {
                String caller = "caller-" + i;
                all.add(callers.submit(() -> schedule(scheduler, caller, now, accepted)));
            }
            for (Future<?> each : all) {
                each.get(120, TimeUnit.SECONDS);
            }
            return accepted;
        } finally {
            callers.shutdownNow();
        }
    }

    /** Every second timer is due soon, and fires while others are scheduled. */
    private static void schedule(
            Scheduler scheduler, String caller, Instant now, Map<TimerKey, ScheduleResult> accepted) {
        for (int i = 0; i < TIMERS_A_CALLER; i++) {
            TimerKey key = TimerKey.of(caller, "timer-" + i);
            boolean soon = i % 2 == 0;
            Timer timer =
                    Timer.at(key, now.plus(soon ? SOON : LATER)).payload(i).build();
            ScheduleResult first = repeated(() -> scheduler.schedule(timer));
            ScheduleResult again = repeated(() -> scheduler.schedule(timer));

            assertThat(again.envelopeId()).isEqualTo(first.envelopeId());
            boolean reached = soon && again.state() == TimerState.REACHED;
            assertThat(again.outcome()).isEqualTo(reached ? ScheduleOutcome.IGNORED : ScheduleOutcome.UNCHANGED);
            accepted.put(key, first);
        }
    }

    /** Repeats a call whose reply was lost, as callers do. */
    private static <T> T repeated(Supplier<T> call) {
        while (true) {
            try {
                return call.get();
            } catch (StoreException e) {
                assertThat(e).hasStackTraceContaining("connection reset");
            }
        }
    }
}

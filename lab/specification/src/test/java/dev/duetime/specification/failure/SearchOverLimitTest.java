package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RateLimit;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The rule that a search for other timers whose statement takes longer than the database allows delays no timer that a
 * plain read finds.
 */
class SearchOverLimitTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONGEST = SECOND.multipliedBy(20);
    private static final int COUNT = 12_000;

    /** A store that cancels, after a second, statements that pass over too large a part of a backlog. */
    private static final class Limited extends PassThroughStore {
        @Nullable
        TestClock clock;

        /** How much faster than the backlog has grown a statement passes over it. */
        int speed = 100_000;

        int cancelled;

        Limited() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            if (clock == null || query.but().isNothing()) {
                return super.due(query);
            }
            Instant oldest = nextDue(query.queue(), query.shards(), Instant.MIN).wakeAt();
            Instant from = oldest != null && query.from().isBefore(oldest) ? oldest : query.from();
            Duration range = Duration.between(from, query.now());
            boolean takesTooLong = range.compareTo(LONGEST) > 0;
            if (takesTooLong) {
                clock.linger(SECOND);
                cancelled++;
                throw new StoreException("read", "due timers", new IOException("cancelled"));
            }
            if (!range.isNegative()) {
                clock.linger(range.dividedBy(speed));
            }
            return super.due(query);
        }
    }

    private final Limited store = new Limited();

    @Test
    void aBacklogOfOneTenantIsDelivered() {
        List<TestClock> clocks = new ArrayList<>();
        List<Envelope> delivered = new ArrayList<>();
        try (TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler.publisher(batch -> {
                    clocks.get(0).linger(Duration.ofMillis(50));
                    delivered.addAll(batch);
                }))
                .build()) {
            clocks.add(kit.clock());
            store.clock = kit.clock();
            kit.scheduler().admin().pause("default");
            kit.scheduler()
                    .scheduleAll(IntStream.range(0, COUNT)
                            .mapToObj(i -> Timer.at(
                                            TimerKey.of("large", "t" + i),
                                            kit.now().plusMillis(i * 300L))
                                    .build())
                            .toList());
            kit.advance(Duration.ofHours(1).plusMinutes(1));
            kit.scheduler().admin().resume("default");
            kit.advance(SECOND.multipliedBy(30));
            assertThat(store.cancelled).isPositive();
            assertThat(delivered).hasSize(COUNT);

            kit.scheduler()
                    .schedule(Timer.at(TimerKey.of("small", "t"), kit.now().plus(SECOND))
                            .build());
            kit.advance(SECOND.multipliedBy(2));
            assertThat(delivered).hasSize(COUNT + 1);
        }
    }

    @Test
    void aLimitedTypeWithALongBacklogStopsNoOther() {
        List<String> ran = new ArrayList<>();
        TodoQueue queue = TodoQueue.builder("work")
                .type("limited", String.class, (todo, run) -> Outcome.complete())
                .type("other", String.class, (todo, run) -> {
                    ran.add(todo.id());
                    return Outcome.complete();
                })
                .build();
        try (TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler
                        .todoQueue(queue)
                        .queue("work", work -> work.type("limited", type -> type.rateLimit(RateLimit.perHour(10)))))
                .build()) {
            store.clock = kit.clock();
            kit.advance(Duration.ofMinutes(1));
            store.speed = 100;
            for (int i = 0; i < 120; i++) {
                String id = "l" + i + "-";
                queue.enqueueAll(IntStream.range(0, COUNT / 120)
                        .mapToObj(each -> NewTodo.of("limited", "p").id(id + each))
                        .toList());
                kit.advance(SECOND.multipliedBy(5));
            }
            queue.enqueueAll(IntStream.range(0, 20)
                    .mapToObj(i -> NewTodo.of("other", "p").id("o" + i))
                    .toList());
            kit.advance(Duration.ofMinutes(2));

            assertThat(store.cancelled).isPositive();
            assertThat(ran).hasSize(20);
        }
    }

    @Test
    void aLimitedTypeOfAPublisherStopsNoOther() {
        List<String> published = new ArrayList<>();
        try (TimerKit kit = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler
                        .publisher(batch ->
                                batch.forEach(each -> published.add(each.event().type())))
                        .queue(
                                "default",
                                queue -> queue.type("limited", type -> type.rateLimit(RateLimit.perHour(10)))))
                .build()) {
            store.clock = kit.clock();
            store.speed = 100;
            scheduleMany(kit, "limited", 1_200, Duration.ofMillis(500));
            kit.advance(Duration.ofMinutes(10));
            scheduleMany(kit, "other", 20, Duration.ofMillis(1));
            kit.advance(Duration.ofMinutes(2));

            assertThat(store.cancelled).isPositive();
            assertThat(published.stream().filter("other"::equals)).hasSize(20);
        }
    }

    private static void scheduleMany(TimerKit kit, String name, int count, Duration apart) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> Timer.at(TimerKey.of(name + i), kit.now().plus(apart.multipliedBy(i)))
                                .type(name)
                                .build())
                        .toList());
    }
}

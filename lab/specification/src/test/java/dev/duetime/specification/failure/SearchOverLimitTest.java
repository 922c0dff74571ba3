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

        int cancelled;

        Limited() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            boolean passesOver = !query.but().tenants().isEmpty();
            if (clock == null || !passesOver) {
                return super.due(query);
            }
            Instant oldest = clock.now().minus(Duration.ofHours(2));
            Instant from = query.from().isBefore(oldest) ? oldest : query.from();
            if (Duration.between(from, query.now()).compareTo(LONGEST) > 0) {
                cancelled++;
                clock.linger(SECOND);
                throw new StoreException("read", "due timers", new IOException("cancelled"));
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
            queue.enqueueAll(IntStream.range(0, COUNT)
                    .mapToObj(i -> NewTodo.of("limited", "p").id("l" + i))
                    .toList());
            kit.advance(Duration.ofMinutes(10));
            queue.enqueueAll(IntStream.range(0, 20)
                    .mapToObj(i -> NewTodo.of("other", "p").id("o" + i))
                    .toList());
            kit.advance(SECOND.multipliedBy(30));

            assertThat(store.cancelled).isPositive();
            assertThat(ran).hasSize(20);
        }
    }
}

package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.TimerKey;
import dev.duetime.store.LockedException;
import dev.duetime.store.Permits;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests of todos that have permits, but begin later: before a todo with a correlation key begins, the worker writes
 * that it has started. This write may take long.
 */
class LateStartTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int BURST = 3;

    private final TestClock clock = new TestClock();
    private final Map<String, Instant> began = new LinkedHashMap<>();
    private final List<String> locked = new ArrayList<>();
    private Duration write = SECOND.multipliedBy(2);
    private boolean isCut;

    private final PassThroughStore store = new PassThroughStore(new InMemoryScheduleStore(clock)) {
        @Override
        public boolean start(TimerKey key, long generation, Instant now) {
            if (locked.remove(key.timerId())) {
                throw new LockedException("start", key, new SQLException("locked"));
            }
            clock.linger(write);
            return intact.start(key, generation, now);
        }

        @Override
        public Permits permits() {
            return new Permits() {
                @Override
                public List<Ledger> ledgers() {
                    return intact.permits().ledgers();
                }

                @Override
                public Set<Limit> change(Collection<Change> changes) {
                    if (isCut) {
                        throw new StoreException("change", "permits", new SQLException("cut"));
                    }
                    return intact.permits().change(changes);
                }
            };
        }
    };

    @SuppressWarnings("NullAway") // each test begins with node()
    private Scheduler scheduler;

    @SuppressWarnings("NullAway") // likewise
    private TodoQueue queue;

    private void node(UnaryOperator<TodoQueue.Builder> limits) {
        queue = limits.apply(TodoQueue.builder("work").type("job", String.class, (todo, run) -> {
                    began.put(todo.id(), clock.now());
                    return Outcome.complete();
                }))
                .workers(10)
                .build();
        scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .shards(4)
                .leaseDuration(SECOND.multipliedBy(10))
                .todoQueue(queue)
                .build();
        scheduler.start();
        clock.advance(SECOND);
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    private void enqueue(String id, Duration delay, UnaryOperator<NewTodo> more) {
        queue.enqueue(more.apply(NewTodo.of("job", id)
                .key(queue.key("tenant", id))
                .startAt(clock.now().plus(delay))));
    }

    /** Gives a todo a correlation key, so that its start is written. */
    private static UnaryOperator<NewTodo> correlated(int i) {
        return todo -> todo.correlationKey("key" + i);
    }

    /**
     * Enqueues a burst whose starts are written slowly, and two more that may run when it does. Returns when it runs.
     */
    private Instant assertAtMostTheBurstBeginsAfterLateStarts() {
        for (int i = 0; i < BURST; i++) {
            enqueue("late" + i, Duration.ZERO, correlated(i));
        }
        Instant late = clock.now().plus(write);
        for (int i = 0; i < 2 * BURST; i++) {
            enqueue("then" + i, write, todo -> todo);
        }
        clock.advance(SECOND.multipliedBy(10));

        assertThat(began).hasSize(3 * BURST);
        assertThat(began.values().stream().filter(late::equals).count()).isEqualTo(BURST);
        return late;
    }

    @Test
    void aPermitCountsFromTheRunOn() {
        node(builder -> builder.rateLimit(RateLimit.perSecond(4).burst(BURST)));
        Instant late = assertAtMostTheBurstBeginsAfterLateStarts();

        assertThat(began.values())
                .filteredOn(each -> each.isAfter(late))
                .allSatisfy(
                        each -> assertThat(Duration.between(late, each)).isGreaterThanOrEqualTo(SECOND.dividedBy(4)));
    }

    @Test
    void aRateOfATenantCountsFromTheRunOn() {
        node(builder -> builder.tenantRateLimit(RateLimit.perSecond(4).burst(BURST)));
        assertAtMostTheBurstBeginsAfterLateStarts();
    }

    @Test
    void aTodoThatDoesNotBeginSpendsNoPermit() {
        node(builder -> builder.rateLimit(RateLimit.perHour(1)));
        write = Duration.ZERO;
        locked.addAll(List.of("held", "held", "held"));
        Instant due = clock.now();
        enqueue("held", Duration.ZERO, correlated(0));
        clock.advance(SECOND.multipliedBy(5));

        assertThat(locked).isEmpty();
        assertThat(began).containsOnlyKeys("held");
        assertThat(began.get("held")).isBefore(due.plus(SECOND));
    }

    @Test
    void aTodoDoesNotBeginAfterTheShareOfItsNodeHasEnded() {
        node(builder -> builder.concurrencyLimit(1));
        enqueue("first", Duration.ZERO, todo -> todo);
        clock.advance(SECOND);
        isCut = true;
        write = SECOND.multipliedBy(15);
        enqueue("late", Duration.ZERO, correlated(0));
        clock.advance(SECOND.multipliedBy(20));
        assertThat(began).containsOnlyKeys("first");

        isCut = false;
        write = Duration.ZERO;
        clock.advance(SECOND.multipliedBy(20));
        assertThat(began).containsOnlyKeys("first", "late");
    }
}

package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Correlated;
import dev.duetime.store.LockedException;
import dev.duetime.store.OwnTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests of concurrent merges of one correlation key, and of a todo that starts to run while a merge reads it. */
abstract class CorrelatedRaceContract extends ContractPart {

    CorrelatedRaceContract(ScheduleStoreContract author) {
        super(author);
    }

    /** Repeats the work as long as other transactions collide with it. */
    private <R> R inOwn(Function<OwnTransaction, R> work) {
        while (true) {
            try (OwnTransaction own = store().begin()) {
                R result = work.apply(own);
                own.commit();
                return result;
            } catch (StoreException e) {
                if (!isCollision(e)) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    /** A store of several databases names a collision as the cause, if it came after the commit on one of them. */
    private static boolean isCollision(StoreException e) {
        return Stream.<Throwable>iterate(e, Objects::nonNull, Throwable::getCause)
                .anyMatch(CollisionException.class::isInstance);
    }

    /** Adds one to what waits, or becomes the first; returns whether it did. */
    private boolean enqueue(OwnTransaction own, String timerId, String key) {
        Correlated correlated = own.writes().correlated();
        Optional<StoredTimer> waiting = correlated.waiting(queue, tenant, key, "test");
        if (waiting.isEmpty()) {
            own.writes()
                    .schedule(List.of(
                            timer(timerId).step("one").correlationKey(key).build()));
            return true;
        }
        StoredTimer before = waiting.get();
        TimerDraft more = timer(before.key())
                .step("one")
                .correlationKey(key)
                .priority(before.content().priority() + 1);
        assertThat(own.writes().settle(List.of(advanced(before, more)))).isEqualTo(1);
        return false;
    }

    @Test
    void oneOfSeveralConcurrentEnqueuersInsertsAndTheOthersMerge() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String key = "key-" + round;

            List<Boolean> first = Race.of(i -> () -> inOwn(own -> {
                own.writes().correlated().lock(queue, List.of(key));
                return enqueue(own, key + "-" + i, key);
            }));

            assertThat(first).containsOnlyOnce(true);
            StoredTimer merged =
                    store().correlated().waiting(queue, tenant, key, "test").orElseThrow();
            assertThat(merged.key().timerId()).isEqualTo(key + "-" + first.indexOf(true));
            assertThat(merged.content().priority()).isEqualTo(Race.THREADS - 1);
        }
    }

    @Test
    void enqueuersOfSeveralKeysInOppositeOrdersDoNotDeadlock() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            List<String> keys = List.of("a" + round, "b" + round, "c" + round);
            List<String> backwards = List.of("c" + round, "b" + round, "a" + round);

            Race.of(i -> () -> inOwn(own -> {
                own.writes().correlated().lock(queue, i % 2 == 0 ? keys : backwards);
                keys.forEach(key -> enqueue(own, key + "-" + i, key));
                return true;
            }));

            for (String key : keys) {
                assertThat(store().correlated()
                                .waiting(queue, tenant, key, "test")
                                .orElseThrow()
                                .content()
                                .priority())
                        .isEqualTo(Race.THREADS - 1);
            }
        }
    }

    @Test
    void aTimerIsEitherMergedOrStarted() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String key = "key-" + round;
            StoredTimer todo = given(timer(key).step("one").correlationKey(key));
            Callable<Boolean> merge = () -> !inOwn(own -> {
                own.writes().correlated().lock(queue, List.of(key));
                return enqueue(own, "new-" + key, key);
            });
            Callable<Boolean> start = () -> store().start(todo.key(), todo.generation(), NOW);

            List<Boolean> done = Race.between(List.of(merge, start));

            assertThat(done).containsExactlyInAnyOrder(true, false);
            assertThat(store().find(key("new-" + key)).isPresent()).isEqualTo(done.get(1));
        }
    }

    /**
     * The latest todo is run again and again. A call that waited for its row must read again, and finds the other todo.
     */
    @Test
    void aWaitingTodoIsFoundWhileALaterOneRuns() {
        given(timer("stays").step("one").correlationKey("key"));
        given(timer("runs").step("one").correlationKey("key").dueAt(NOW.plusSeconds(1)));
        List<Callable<Boolean>> contenders = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            contenders.add(() -> {
                for (int round = 0; round < 5 * Race.ROUNDS; round++) {
                    StoredTimer timer = stored("runs");
                    if (started(timer)) {
                        store().settle(List.of(advanced(
                                timer, timer("runs").step("one").dueAt(NOW.plusSeconds(round % 2 == 0 ? -1 : 1)))));
                    }
                }
                return true;
            });
        }
        for (int i = 0; i < 4; i++) {
            contenders.add(() -> {
                for (int round = 0; round < 5 * Race.ROUNDS; round++) {
                    inOwn(own -> {
                        own.writes().correlated().lock(queue, List.of("key"));
                        return enqueue(own, "never", "key");
                    });
                }
                return store().find(key("never")).isEmpty();
            });
        }

        assertThat(Race.between(contenders)).containsOnly(true);
    }

    /** A store may refuse to start a timer that a merge holds. */
    private boolean started(StoredTimer timer) {
        try {
            return store().start(timer.key(), timer.generation(), NOW);
        } catch (LockedException e) {
            return false;
        }
    }
}

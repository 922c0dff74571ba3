package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.store.NewTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of how concurrent transactions affect each other, at the isolation level that callers get by default. */
abstract class TransactionRaceContract extends JdbcPart {
    private static final int THREADS = 8;
    private static final int ROUNDS = 20;

    TransactionRaceContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    @Test
    void callersThatScheduleNeighbouringNewKeysDoNotDeadlock() throws InterruptedException {
        race(thread -> round -> {
            List<NewTimer> timers = List.of(timer(round + "-" + thread, "x"), timer(round + "-" + thread + "+", "x"));
            return inTransaction(timers).get(0);
        });

        assertThat(store().find(key("19-7+"))).isPresent();
    }

    @Test
    void oneOfSeveralCallersCreatesANewKey() throws InterruptedException {
        List<ScheduleResult> results = race(thread -> round -> {
            NewTimer timer = timer("same-" + round, "payload of " + thread);
            // On databases that may deadlock, the caller repeats the transaction. Two callers do not deadlock.
            return thread < 2
                    ? inTransaction(List.of(timer)).get(0)
                    : store().schedule(List.of(timer)).get(0);
        });

        for (int round = 0; round < ROUNDS; round++) {
            String id = "same-" + round;
            List<ScheduleResult> ofKey = results.stream()
                    .filter(result -> result.key().timerId().equals(id))
                    .toList();
            assertThat(ofKey)
                    .extracting(ScheduleResult::outcome)
                    .hasSize(THREADS)
                    .containsOnly(ScheduleOutcome.CREATED, ScheduleOutcome.RESCHEDULED)
                    .containsOnlyOnce(ScheduleOutcome.CREATED);
        }
    }

    @Test
    void twoStoresOnOneDatabaseCreateEachKeyOnce() throws InterruptedException {
        JdbcScheduleStore other =
                database.builder(database.dataSource()).migrate(false).build();

        List<ScheduleResult> results = race(thread -> round -> {
            JdbcScheduleStore either = thread % 2 == 0 ? store() : other;
            return either.schedule(List.of(timer("both-" + round, "x"))).get(0);
        });

        assertThat(results)
                .extracting(ScheduleResult::outcome)
                .hasSize(THREADS * ROUNDS)
                .containsOnly(ScheduleOutcome.CREATED, ScheduleOutcome.UNCHANGED);
        assertThat(results.stream().filter(result -> result.outcome() == ScheduleOutcome.CREATED))
                .hasSize(ROUNDS);
        assertThat(results)
                .allSatisfy(result -> assertThat(result.generation())
                        .isEqualTo(store().find(result.key()).orElseThrow().generation()));
    }

    @Test
    void aPurgeKeepsATimerThatIsScheduledAgainMeanwhile() throws InterruptedException {
        List<Boolean> kept = race(thread -> round -> {
            if (thread % 2 == 0) {
                return purgeUntilNothingIsLeft();
            }
            boolean all = true;
            for (int i = 0; i < 5; i++) {
                String id = thread + "-" + i;
                store().schedule(List.of(timer(id, "x")));
                store().cancel(key(id), NOW);
                store().schedule(List.of(timer(id, "y")));
                all &= store().find(key(id)).isPresent();
            }
            return all;
        });

        assertThat(kept).hasSize(THREADS * ROUNDS).containsOnly(true);
    }

    private boolean purgeUntilNothingIsLeft() {
        int idle = 0;
        while (idle < 5) {
            idle = store().purge(queue, NOW.plusSeconds(1), 50) == 0 ? idle + 1 : 0;
        }
        return true;
    }

    @Test
    void aBatchOfTenThousandMayNameEachKeyTwice() {
        List<NewTimer> batch = IntStream.range(0, 10_000)
                .mapToObj(i -> timer("twice-" + i % 5_000, "payload " + i))
                .toList();

        List<ScheduleResult> results = store().schedule(batch);

        assertThat(results.subList(0, 5_000))
                .extracting(ScheduleResult::outcome)
                .containsOnly(ScheduleOutcome.CREATED);
        assertThat(results.subList(5_000, 10_000))
                .extracting(ScheduleResult::outcome)
                .containsOnly(ScheduleOutcome.RESCHEDULED);
        assertThat(store().find(key("twice-17")).orElseThrow().generation())
                .isEqualTo(batch.get(5_017).generation());
    }

    private List<ScheduleResult> inTransaction(List<NewTimer> timers) {
        return database.inTransaction(
                true, transaction -> store().in(transaction).schedule(timers));
    }

    /** Runs the rounds one after the other, in each all threads at once. */
    private static <R> List<R> race(IntFunction<IntFunction<R>> contender) throws InterruptedException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier round = new CyclicBarrier(THREADS);
        try {
            List<Callable<List<R>>> work = new ArrayList<>();
            for (int thread = 0; thread < THREADS; thread++) {
                IntFunction<R> ofThread = contender.apply(thread);
                work.add(() -> {
                    List<R> results = new ArrayList<>();
                    try {
                        for (int i = 0; i < ROUNDS; i++) {
                            round.await();
                            results.add(ofThread.apply(i));
                        }
                        return results;
                    } catch (RuntimeException e) {
                        // The others must not wait for this one.
                        round.reset();
                        throw e;
                    }
                });
            }
            List<R> results = new ArrayList<>();
            for (Future<List<R>> each : threads.invokeAll(work)) {
                results.addAll(each.get());
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError("a contender failed", e.getCause());
        } finally {
            threads.shutdownNow();
        }
    }
}

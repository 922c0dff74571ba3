package dev.duetime.testkit.contract;

import dev.duetime.internal.Errors;
import dev.duetime.store.LockedException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** A race: threads that do something at the same moment. */
final class Race {
    /** As many as a small connection pool serves. */
    static final int THREADS = 8;

    /** How often a race is run: one run may miss what it is after. */
    static final int ROUNDS = 8;

    private static final int PATIENCE_SECONDS = 120;

    private Race() {}

    /** Returns what each of {@link #THREADS} contenders returned, in their order. */
    static <R> List<R> of(IntFunction<Callable<R>> contender) {
        return between(IntStream.range(0, THREADS).mapToObj(contender).toList());
    }

    /** Returns what each contender returned, in the given order. */
    static <R> List<R> between(List<Callable<R>> contenders) {
        ExecutorService threads = Executors.newFixedThreadPool(contenders.size());
        CyclicBarrier start = new CyclicBarrier(contenders.size());
        try {
            List<Future<R>> running = new ArrayList<>();
            for (Callable<R> contender : contenders) {
                running.add(threads.submit(() -> {
                    start.await();
                    return called(contender);
                }));
            }
            List<R> results = new ArrayList<>();
            for (Future<R> each : running) {
                results.add(each.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
            return results;
        } catch (ExecutionException e) {
            throw new AssertionError("a contender failed: " + Errors.cause(e), Errors.cause(e));
        } catch (TimeoutException e) {
            throw new AssertionError("contenders still wait for each other after " + PATIENCE_SECONDS + " s", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Calls a contender again if others held its rows for too long: then the store wrote nothing, as the engine knows.
     */
    private static <R> R called(Callable<R> contender) throws Exception {
        while (true) {
            try {
                return contender.call();
            } catch (LockedException e) {
                if (Thread.interrupted()) {
                    throw new InterruptedException();
                }
            }
        }
    }
}

package dev.duetime.lab.chaos.node;

import dev.duetime.ScheduleResult;
import dev.duetime.StoreException;
import dev.duetime.lab.chaos.log.Entry.Added;
import dev.duetime.lab.chaos.log.Entry.Counted;
import dev.duetime.lab.chaos.log.Entry.Phase;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.server.Commands;
import dev.duetime.todo.Merge;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The program of a node with four threads that enqueue todos to be merged by addition. All threads of all nodes
 * repeatedly enqueue for the same new key at the same moment, and also for some busy keys whose todos are running.
 */
public final class MergingNodeMain {
    static final int THREADS = 4;

    /** The numbers that each thread enqueues in one round. */
    static final int A_ROUND = 2;

    /** How long after the last round the todos of new keys run. */
    public static final Duration AFTERWARDS = Duration.ofSeconds(3);

    public static final String ENQUEUED = "enqueued";
    private static final int BUSY_KEYS = 5;
    private static final long BUSY_DELAY = 300_000;
    private static final int MOST = 5;
    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(20);

    private final TodoNode node;
    private final TodoQueue queue;

    private MergingNodeMain(TodoNode node) {
        this.node = node;
        queue = TodoQueue.builder("merged")
                .type(
                        "count",
                        Integer.class,
                        (todo, run) -> {
                            node.log.append(new Counted(
                                    Log.now(), String.valueOf(todo.correlationKey()), todo.id(), todo.payload()));
                            return Outcome.complete();
                        },
                        type -> type.merge(Merge.collect(Integer::sum)))
                .build();
    }

    /** Runs a node. */
    public static void main(String[] args) throws IOException {
        TodoNode node = new TodoNode(args);
        MergingNodeMain program = new MergingNodeMain(node);
        node.start(program.queue);
        node.obey(program::begin);
    }

    /** Begins to enqueue. The arguments are the times of the beginning and the end. */
    private void begin(String order) {
        Slots slots = new Slots(Long.parseLong(order.split(" ", -1)[0]), Long.parseLong(order.split(" ", -1)[1]), (long)
                (1e6 * THREADS * A_ROUND / node.settings.rate()));
        AtomicInteger left = new AtomicInteger(THREADS);
        for (int i = 1; i <= THREADS; i++) {
            String name = node.settings.name() + "-" + i;
            Thread thread = new Thread(
                    () -> {
                        enqueue(name, slots);
                        if (left.decrementAndGet() == 0) {
                            node.log.append(new Phase(Log.now(), ENQUEUED, node.settings.name()));
                        }
                    },
                    name);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private void enqueue(String name, Slots slots) {
        long freshAt = slots.end + AFTERWARDS.toMillis() * 1_000;
        for (long slot = slots.await(); slot >= 0; slot = slots.await()) {
            add("fresh-" + slot, "%s-%d-fresh".formatted(name, slot), freshAt);
            String busy = "busy-" + ThreadLocalRandom.current().nextInt(BUSY_KEYS);
            add(busy, "%s-%d-busy".formatted(name, slot), Log.now() + BUSY_DELAY);
        }
    }

    private void add(String key, String id, long startAt) {
        int amount = 1 + ThreadLocalRandom.current().nextInt(MOST);
        NewTodo todo = NewTodo.of("count", amount)
                .id(id)
                .correlationKey(key)
                .startAt(Instant.EPOCH.plus(startAt, ChronoUnit.MICROS));
        long from = Log.now();
        ScheduleResult result = untilAnswered(todo);
        node.log.append(new Added(
                from,
                Log.now(),
                key,
                id,
                startAt,
                amount,
                result.outcome().name(),
                result.key().timerId()));
    }

    /** A repeated call is safe, because of its id. */
    private ScheduleResult untilAnswered(NewTodo todo) {
        while (true) {
            try {
                return queue.enqueue(todo);
            } catch (StoreException e) {
                System.out.println("not enqueued yet: " + e.getMessage());
                Commands.pause(AFTER_A_FAILURE);
            }
        }
    }

    /**
     * The moments at which all threads of all nodes begin their rounds, by the clock. A late thread skips some of them.
     */
    private static final class Slots {
        private final long begin;
        private final long end;
        private final long period;
        private final CyclicBarrier together = new CyclicBarrier(THREADS, this::choose);
        private volatile long slot;

        Slots(long begin, long end, long period) {
            this.begin = begin;
            this.end = end;
            this.period = period;
        }

        private void choose() {
            slot = Math.max(slot + 1, (Log.now() - begin) / period + 1);
        }

        private long time() {
            return begin + slot * period;
        }

        /** Waits for the next round and returns its number; -1 if there is none. */
        long await() {
            try {
                together.await();
            } catch (InterruptedException | BrokenBarrierException e) {
                throw new IllegalStateException(e);
            }
            if (time() >= end) {
                return -1;
            }
            Commands.pause(Duration.of(Math.max(0, time() - Log.now()), ChronoUnit.MICROS));
            return slot;
        }
    }
}

package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.admin.QueueHealth;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Share;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.EachCall;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.HeapFull;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A node in virtual time that delivers two waves of timers. During the first one an operator pauses and resumes its
 * queue, and its heap is full once: a call of its clock or its store throws, or a step of the engine itself. Not
 * thread-safe.
 */
abstract class BrokenOffNode {
    private static final int WAVE = 9;
    private static final int WHILE_PAUSED = 3;

    /** What is due at once is delivered in this time, unless an error delays it. */
    private static final Duration MOMENT = Duration.ofMillis(300);

    private static final Duration UNTIL_PAUSE = Duration.ofMillis(60);
    private static final Duration PAUSE = Duration.ofMillis(40);

    /** Longer than any wait of a loop, and than a node keeps permits that it does not use. */
    private static final Duration LATER = Duration.ofMinutes(1);

    private final TimerKit kit = TimerKit.builder().notStarted().build();
    private final Set<String> missing = new TreeSet<>();
    private final Set<String> delivered = new TreeSet<>();
    private @Nullable Scheduler scheduler;
    private int callsLeft = Integer.MAX_VALUE;
    private boolean mayThrow;
    private boolean inTurn;
    private @Nullable String threw;

    /** Where the heap is full. */
    enum Seam {
        CLOCK,
        STORE
    }

    /** Returns the name of the queue. */
    abstract String queue();

    /** Sets the queue of the node, and what it does with timers. */
    abstract void configure(SchedulerBuilder builder);

    /** Returns the store of the node. */
    ScheduleStore store(ScheduleStore intact) {
        return intact;
    }

    /** Schedules a timer that is due at once. Returns what will be delivered. */
    abstract List<String> schedule(Scheduler by, String id, int number);

    void deliver(String id) {
        delivered.add(id);
    }

    /**
     * Delivers all timers, although the heap is full in the call with that number.
     *
     * @param wrong gets what is wrong afterwards
     * @return whether there were so many calls
     */
    boolean run(Seam seam, int call, List<String> wrong) {
        callsLeft = call;
        Clock machine = kit.clock().node("machine");
        deliverAll(
                builder -> {
                    builder.clock(new FailingClock(machine, seam == Seam.CLOCK));
                    if (seam == Seam.STORE) {
                        builder.store(EachCall.of(store(kit.store()), this::next));
                    }
                },
                wrong);
        return threw != null;
    }

    /**
     * Delivers all timers, although the heap is full in a step of the engine.
     *
     * @param fails gets the number of each step that a turn takes; returns whether the heap is full there
     * @param wrong gets what is wrong afterwards
     */
    void run(IntPredicate fails, List<String> wrong) {
        Clock machine = kit.clock().node("machine");
        EngineSteps.before(step -> {
            if (mayThrow && inTurn && threw == null && fails.test(step)) {
                threw = EngineSteps.name(step);
                throw new HeapFull(threw);
            }
        });
        try {
            deliverAll(builder -> builder.clock(new FailingClock(machine, false)), wrong);
        } finally {
            EngineSteps.before(step -> {});
        }
    }

    private void deliverAll(Consumer<SchedulerBuilder> seam, List<String> wrong) {
        Scheduler started = kit.addNode(builder -> {
                    builder.store(store(kit.store()));
                    seam.accept(builder);
                    configure(builder);
                })
                .scheduler();
        scheduler = started;
        kit.advance(Duration.ofSeconds(5));
        scheduleAll(started, "a", WAVE);
        mayThrow = true;
        try {
            kit.advance(UNTIL_PAUSE);
            operate(() -> started.admin().pause(queue()));
            scheduleAll(started, "p", WHILE_PAUSED);
            kit.advance(PAUSE);
            operate(() -> started.admin().resume(queue()));
            kit.advance(MOMENT);
        } catch (HeapFull e) {
            throw new AssertionError("an error in " + threw + " ended a loop", e);
        }
        mayThrow = false;
        if (threw != null) {
            // The operator, too, has seen the error.
            started.admin().resume(queue());
        }
        kit.advance(LATER);
        check("in the first wave", wrong);
        scheduleAll(started, "b", WAVE);
        kit.advance(LATER);
        check("in the second wave", wrong);
        started.close();
    }

    /** Calls the node as an operator does, whose call may meet the error. */
    private void operate(Runnable call) {
        inTurn = true;
        try {
            call.run();
        } catch (OutOfMemoryError e) {
            assertThat(e).isInstanceOf(HeapFull.class);
        } finally {
            inTurn = false;
        }
    }

    private void scheduleAll(Scheduler by, String wave, int count) {
        for (int number = 0; number < count; number++) {
            missing.addAll(schedule(by, wave + number, number));
        }
    }

    private void check(String when, List<String> wrong) {
        String where = " %s, after an error in %s".formatted(when, threw);
        missing.removeAll(delivered);
        if (!missing.isEmpty()) {
            wrong.add(missing + " were not delivered" + where);
        }
        for (QueueHealth each :
                Objects.requireNonNull(scheduler).admin().health().queues()) {
            if (each.inDelivery() != 0) {
                wrong.add(each.inDelivery() + " timers stay in delivery" + where);
            }
        }
        int held = kit.store().permits().ledgers().stream()
                .map(Ledger::shares)
                .flatMap(List::stream)
                .mapToInt(Share::units)
                .sum();
        if (held != 0) {
            wrong.add(held + " units of a limit are held" + where);
        }
    }

    private void next(String call) {
        callsLeft -= mayThrow && inTurn ? 1 : 0;
        if (callsLeft == 0 && threw == null) {
            threw = call;
            throw new HeapFull(call);
        }
    }

    /** A clock of whose calls one throws. */
    private final class FailingClock implements Clock {
        private final Clock clock;
        private final boolean throwsAny;

        FailingClock(Clock clock, boolean throwsAny) {
            this.clock = clock;
            this.throwsAny = throwsAny;
        }

        private void next(String call) {
            if (throwsAny) {
                BrokenOffNode.this.next(call);
            }
        }

        @Override
        public Instant now() {
            next("now");
            return clock.now();
        }

        @Override
        public long nanoTime() {
            next("nanoTime");
            return clock.nanoTime();
        }

        @Override
        public Loop start(String name, Pass pass) {
            next("start of " + name);
            Loop loop = clock.start(name, new Turns(pass));
            return new Loop() {
                @Override
                public void wakeAt(Instant instant) {
                    next("wake-up of " + name);
                    loop.wakeAt(instant);
                }

                @Override
                public boolean close(Duration limit) {
                    return loop.close(limit);
                }
            };
        }
    }

    /** The turns of a loop. What a test's clock asks between two turns does not throw. */
    private final class Turns implements Clock.Pass {
        private final Clock.Pass pass;

        Turns(Clock.Pass pass) {
            this.pass = pass;
        }

        @Override
        public Instant run() throws InterruptedException {
            inTurn = true;
            try {
                return pass.run();
            } finally {
                inTurn = false;
            }
        }

        @Override
        public Instant idleUntil() {
            return pass.idleUntil();
        }

        @Override
        public @Nullable Set<String> queuesRead() {
            return pass.queuesRead();
        }

        @Override
        public Instant leftOut() {
            return pass.leftOut();
        }
    }
}

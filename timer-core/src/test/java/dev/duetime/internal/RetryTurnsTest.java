package dev.duetime.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests of the order in which calls that met a lock try again. */
class RetryTurnsTest {
    private static final long LONG = TimeUnit.MINUTES.toNanos(10);
    private static final TimerKey HOT = TimerKey.of("acme", "hot");
    private static final TimerKey OTHER = TimerKey.of("acme", "other");

    private final RetryTurns turns = new RetryTurns(1, System::nanoTime);
    private final List<String> order = new CopyOnWriteArrayList<>();

    @Test
    void aCrowdAtOneKeyIsOneCallToTheOthers() throws InterruptedException {
        RetryTurns.Call first = turns.call(HOT);
        try (RetryTurns.Call other = turns.call(OTHER)) {
            assertThat(first.await(LONG)).isTrue();
            List<Thread> crowd = List.of(waiting(HOT, "hot"), waiting(HOT, "hot"), waiting(HOT, "hot"));
            first.endTry();

            assertThat(other.await(LONG)).isTrue();
            assertThat(order).isEmpty();
            other.endTry();
            assertThat(first.await(LONG)).isTrue();
            first.close();
            for (Thread each : crowd) {
                each.join();
            }
            assertThat(order).hasSize(3);
        }
    }

    @Test
    void theCallThatTriedLessGoesFirst() throws InterruptedException {
        try (RetryTurns.Call turn = turns.call("1 timers");
                RetryTurns.Call tried = turns.call("2 timers")) {
            for (int i = 0; i < 600; i++) {
                assertThat(tried.await(LONG)).isTrue();
                tried.endTry();
            }
            assertThat(turn.await(LONG)).isTrue();
            Thread often = waiting(tried, "often");
            Thread seldom = waiting("2 timers", "seldom");
            turn.endTry();
            often.join();
            seldom.join();

            assertThat(order).containsExactly("seldom", "often");
        }
    }

    @Test
    void aCallThatIsInterruptedLeavesItsPlace() throws InterruptedException {
        RetryTurns.Call first = turns.call(HOT);
        assertThat(first.await(LONG)).isTrue();
        Thread interrupted = waiting(HOT, "interrupted");
        Thread later = waiting(HOT, "later");
        interrupted.interrupt();
        interrupted.join();
        first.close();
        later.join();

        assertThat(order).containsExactly("later");
    }

    @Test
    void aCallWhoseTimeIsOverDoesNotTry() throws InterruptedException {
        try (RetryTurns.Call first = turns.call(HOT);
                RetryTurns.Call same = turns.call(HOT);
                RetryTurns.Call other = turns.call(OTHER)) {
            assertThat(first.await(LONG)).isTrue();

            assertThat(same.await(1)).isFalse();
            assertThat(other.await(1)).isFalse();
        }
        try (RetryTurns.Call next = turns.call(HOT)) {
            assertThat(next.await(LONG)).isTrue();
        }
    }

    private Thread waiting(Object subject, String name) {
        return waiting(turns.call(subject), name);
    }

    /** Lets a call wait for its turn in a thread of its own. */
    private Thread waiting(RetryTurns.Call waits, String name) {
        Thread thread = new Thread(() -> {
            try (RetryTurns.Call call = waits) {
                if (call.await(LONG)) {
                    order.add(name);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        return thread;
    }
}

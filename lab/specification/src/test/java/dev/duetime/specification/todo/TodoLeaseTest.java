package dev.duetime.specification.todo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of handlers on a node that cannot renew its leases. */
class TodoLeaseTest {
    private static final Duration LEASE = Duration.ofSeconds(10);

    private final List<Integer> attempts = new ArrayList<>();
    private final List<Duration> interruptedAfter = new ArrayList<>();
    private boolean ignores;

    private final TodoQueue queue = TodoQueue.builder("work")
            .type("job", String.class, (todo, run) -> {
                attempts.add(run.attempt());
                if (attempts.size() == 1) {
                    hang();
                }
                return Outcome.complete();
            })
            .build();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.todoQueue(queue).leaseDuration(LEASE))
            .build();

    /** Runs while the node cannot renew, until it is interrupted. */
    private void hang() throws InterruptedException {
        kit.node(0).storeDown(call -> call == StoreCall.RENEW);
        Instant began = kit.now();
        for (int i = 0; i < 300; i++) {
            kit.clock().linger(Duration.ofMillis(100));
            if (Thread.interrupted()) {
                interruptedAfter.add(Duration.between(began, kit.now()));
                if (!ignores) {
                    kit.node(0).storeUp();
                    throw new InterruptedException("by the lease");
                }
            }
        }
        kit.node(0).storeUp();
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private StoredTimer stored() {
        return kit.store().find(queue.key("a")).orElseThrow();
    }

    @Test
    void aHandlerIsInterruptedBeforeTheLeaseEndsAndLosesNoAttempt() {
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(Duration.ofMinutes(5));

        assertThat(interruptedAfter)
                .singleElement()
                .satisfies(after -> assertThat(after).isLessThan(LEASE));
        assertThat(attempts).containsExactly(1, 1);
        assertThat(stored().state()).isEqualTo(TimerState.REACHED);
    }

    @Test
    void theOutcomeAfterAnIgnoredInterruptCountsIfNoOtherNodeRanTheTodo() {
        ignores = true;
        queue.enqueue(NewTodo.of("job", "p").id("a"));
        kit.advance(Duration.ofMinutes(5));

        assertThat(interruptedAfter).hasSize(1);
        assertThat(attempts).containsExactly(1);
        assertThat(stored().state()).isEqualTo(TimerState.REACHED);
    }
}

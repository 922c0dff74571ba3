package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.testkit.TimerKit;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rule that a timer which an operator delivers now takes its turn like any other one that is due. */
class DeliverNowInTurnTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final TimerQuery ALL = TimerQuery.all().queue("default");

    private @Nullable TimerKit kit;

    private TimerKit kit() {
        return Objects.requireNonNull(kit);
    }

    private TimerAdmin admin() {
        return kit().scheduler().admin();
    }

    private void queue(Consumer<QueueBuilder> settings) {
        kit = TimerKit.builder()
                .configure(scheduler -> scheduler.queue("default", settings))
                .build();
        kit.advance(SECOND);
    }

    private StoredTimer stored(String id) {
        return kit().scheduler().find(TimerKey.of(id)).orElseThrow();
    }

    @AfterEach
    void close() {
        kit().close();
    }

    @Test
    void itWaitsForAPermitWithoutAnAttempt() {
        queue(queue -> queue.rateLimit(RateLimit.perMinute(1)));
        for (String id : List.of("a", "b", "c")) {
            kit().scheduler().schedule(Timer.after(id, HOUR.multipliedBy(5)).build());
        }

        assertThat(admin().deliverNow(ALL)).isEqualTo(3);
        kit().advance(SECOND.multipliedBy(10));

        assertThat(kit()).hasDeliveredCount(1);
        kit().advance(SECOND.multipliedBy(150));
        assertThat(kit()).hasDeliveredCount(3);
        assertThat(kit().delivered())
                .allSatisfy(each -> assertThat(each.attempt()).isEqualTo(1));
    }

    @Test
    void aPausedQueueDeliversItAfterThePause() {
        queue(queue -> {});
        kit().scheduler().schedule(Timer.after("a", HOUR).build());
        admin().pause("default");

        assertThat(admin().deliverNow(TimerKey.of("a"))).isTrue();
        kit().advance(SECOND.multipliedBy(10));
        assertThat(kit()).hasNotDelivered("a");

        admin().resume("default");
        kit().advance(SECOND);
        assertThat(kit()).hasDeliveredOnce("a");
    }

    @Test
    void itKeepsItsDeadlineAndExpires() {
        queue(queue -> {});
        kit().scheduler()
                .schedule(
                        Timer.after("a", HOUR).validFor(Duration.ofMinutes(10)).build());
        Instant deadline = Objects.requireNonNull(stored("a").content().expiresAt());
        admin().pause("default");

        assertThat(admin().deliverNow(TimerKey.of("a"))).isTrue();
        assertThat(stored("a").content().expiresAt()).isEqualTo(deadline);
        kit().advance(HOUR.multipliedBy(2));
        admin().resume("default");
        kit().advance(SECOND.multipliedBy(10));

        assertThat(kit()).hasNotDelivered("a");
        assertThat(stored("a").state()).isEqualTo(TimerState.EXPIRED);
    }

    @Test
    void timersOfAParallelKeyFollowTheirDueTimes() {
        queue(queue -> queue.concurrency(4));
        for (String id : List.of("a", "b", "c")) {
            kit().scheduler()
                    .schedule(Timer.after(id, HOUR.multipliedBy(id.charAt(0) - 'a' + 1))
                            .parallelKey("k")
                            .build());
        }

        assertThat(admin().deliverNow(TimerKey.of("c"))).isTrue();
        kit().advance(SECOND);
        assertThat(admin().deliverNow(ALL)).isEqualTo(2);
        kit().advance(SECOND);

        assertThat(kit().delivered())
                .extracting(each -> each.key().timerId())
                .startsWith("c")
                .containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void aTodoThatRunsDoesNotRunAgain() {
        List<String> runs = new ArrayList<>();
        List<TodoQueue> queues = new ArrayList<>();
        kit = TimerKit.builder()
                .configure(scheduler -> {
                    TodoQueue one = TodoQueue.builder("work")
                            .type("job", String.class, (todo, run) -> {
                                runs.add(todo.id());
                                kit().clock().linger(SECOND.multipliedBy(5));
                                return Outcome.complete();
                            })
                            .build();
                    queues.add(one);
                    scheduler.todoQueue(one);
                })
                .build();
        kit.advance(SECOND);
        TimerKey key = queues.get(0).key("t", "a");
        queues.get(0).enqueue(NewTodo.of("job", "x").key(key).startAt(kit.now().plus(HOUR)));

        assertThat(admin().deliverNow(key)).isTrue();
        kit.advance(SECOND);
        assertThat(runs).containsExactly("a");
        assertThat(admin().deliverNow(key)).isFalse();
        assertThat(admin().deliverNow(ALL.queue("work"))).isZero();
        kit.advance(HOUR.multipliedBy(2));

        assertThat(runs).containsExactly("a");
    }
}

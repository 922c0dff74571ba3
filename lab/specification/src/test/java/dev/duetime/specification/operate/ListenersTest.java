package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import ch.qos.logback.classic.Level;
import dev.duetime.CancelResult;
import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerExpiredException;
import dev.duetime.TimerKey;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.PolledBatch;
import dev.duetime.listener.QueueSample;
import dev.duetime.listener.TimerListener;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of which calls listeners get, and that several listeners do not disturb each other. */
class ListenersTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private static TimerKit kit(TimerListener... listeners) {
        return TimerKit.builder()
                .configure(scheduler -> {
                    scheduler.retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(2));
                    List.of(listeners).forEach(scheduler::listener);
                })
                .build();
    }

    /** Schedules, repeats, cancels, expires, retries, gives up and delivers. */
    private static void letAllHappen(TimerKit kit) {
        kit.publisher().failOn(envelope -> envelope.key().timerId().equals("bad"));
        Timer good = Timer.at("good", kit.now().plus(SECOND)).build();
        kit.scheduler().schedule(good);
        kit.scheduler().schedule(good);
        kit.scheduler().schedule(Timer.after("gone", SECOND).build());
        kit.scheduler().cancel(TimerKey.of("gone"));
        Timer late = Timer.at("late", kit.now().minusSeconds(9))
                .expiresAt(kit.now().minusSeconds(8))
                .build();
        assertThatExceptionOfType(TimerExpiredException.class)
                .isThrownBy(() -> kit.scheduler().schedule(late));
        kit.scheduler().schedule(Timer.after("bad", SECOND).build());
        kit.advance(SECOND);
        kit.scheduler().schedule(Timer.after("next", SECOND).build());
        kit.advance(SECOND);
        kit.scheduler().schedule(Timer.after("last", SECOND).build());
        kit.advance(SECOND);
    }

    @Test
    void eachEventIsReportedOnceAndInOrder() {
        Told told = new Told();
        letAllHappen(kit(told));

        assertThat(told.all)
                .containsSubsequence(
                        "good CREATED",
                        "good UNCHANGED",
                        "gone CREATED",
                        "gone CANCELLED",
                        "late rejected",
                        "bad failed, again: true",
                        "good delivered",
                        "bad failed, again: false",
                        "bad dead after 2 in default",
                        "next delivered");
        assertThat(told.all).doesNotHaveDuplicates();
    }

    @Test
    void aDeadTimerIsReportedWithContentAndFailure() {
        List<DeadTimer> dead = new ArrayList<>();
        letAllHappen(kit(new TimerListener() {
            @Override
            public void dead(DeadTimer timer) {
                dead.add(timer);
            }
        }));

        assertThat(dead).singleElement().satisfies(each -> {
            assertThat(each.content()).isNotNull();
            assertThat(each.failure().error()).contains("failOn");
            assertThat(each.failure().firstAt()).isBefore(each.failure().lastAt());
        });
    }

    @Test
    void severalAreCalledInOrderAlthoughOneThrows() {
        List<String> order = new ArrayList<>();
        Told last = new Told();
        try (LogLines lines = LogLines.ofDuetime()) {
            letAllHappen(kit(
                    new TimerListener() {
                        @Override
                        public void delivered(Envelope envelope) {
                            order.add("first");
                            throw new NoClassDefFoundError("broken");
                        }

                        @Override
                        public void scheduled(ScheduleResult result, TimerContent content) {
                            throw new IllegalStateException("broken");
                        }
                    },
                    new TimerListener() {
                        @Override
                        public void delivered(Envelope envelope) {
                            order.add("second");
                            throw new IllegalStateException("broken");
                        }
                    },
                    last));

            assertThat(order).startsWith("first", "second", "first", "second");
            assertThat(last.all).contains("good CREATED", "good delivered", "next delivered");
            assertThat(lines.messages(Level.WARN).stream().filter(each -> each.startsWith("listener ")))
                    .as("once for each listener and kind of event")
                    .hasSize(3)
                    .anyMatch(each -> each.endsWith("failed in scheduled; this is logged once"));
        }
    }

    @Test
    void aScheduleReturnsAlthoughAListenerThrows() {
        TimerKit kit = kit(new TimerListener() {
            @Override
            public void scheduled(ScheduleResult result, TimerContent content) {
                throw new AssertionError("broken");
            }

            @Override
            public void cancelled(TimerKey key, CancelResult result) {
                throw new StackOverflowError();
            }
        });

        assertThat(kit.scheduler().schedule(Timer.after("a", SECOND).build())).isCreated();
        assertThat(kit.scheduler().cancel(TimerKey.of("a"))).isEqualTo(CancelResult.CANCELLED);
    }

    @Test
    void aNodeListenerGetsPollsAndShards() {
        Told told = new Told();
        TimerKit kit = kit(told);
        assertThat(told.node).contains("default +4 = 4");

        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.scheduler().schedule(Timer.after("b", SECOND).build());
        kit.advance(SECOND);
        assertThat(told.node).contains("default polled 2");

        kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        assertThat(told.node).contains("default returned 2 = 2");

        kit.close();
        assertThat(told.node).contains("default returned 2 = 0");
    }

    @Test
    void aNullListenerIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Scheduler.builder().listener(nothing()))
                .withMessage("listener must not be null");
    }

    @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
    private static <T> T nothing() {
        return null;
    }

    private static final class Told implements NodeListener {
        private final List<String> all = new ArrayList<>();
        private final List<String> node = new ArrayList<>();

        @Override
        public void scheduled(ScheduleResult result, TimerContent content) {
            all.add(result.key().timerId() + " " + result.outcome());
        }

        @Override
        public void delivered(Envelope envelope) {
            all.add(envelope.key().timerId() + " delivered");
        }

        @Override
        public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
            all.add(envelope.key().timerId() + " failed, again: " + (retryAt != null));
        }

        @Override
        public void rejected(Timer timer, Instant expiresAt) {
            all.add(timer.key().timerId() + " rejected");
        }

        @Override
        public void expired(StoredTimer timer, ExpiryReason reason) {
            all.add(timer.key().timerId() + " expired: " + reason);
        }

        @Override
        public void dead(DeadTimer timer) {
            all.add(timer.key().timerId() + " dead after " + timer.attempt() + " in " + timer.queue());
        }

        @Override
        public void cancelled(TimerKey key, CancelResult result) {
            all.add(key.timerId() + " " + result);
        }

        @Override
        public void polled(PolledBatch batch) {
            node.add(batch.queue() + " polled " + batch.timers());
        }

        @Override
        public void shardsAcquired(String queue, int count, int owned) {
            node.add(queue + " +" + count + " = " + owned);
        }

        @Override
        public void shardsReleased(String queue, int count, int owned) {
            node.add(queue + " returned " + count + " = " + owned);
        }

        @Override
        public void sampled(QueueSample sample) {
            assertThat(sample.queue()).isEqualTo("default");
        }
    }
}

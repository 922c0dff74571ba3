package dev.duetime.specification.operate;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.TimerListener;
import dev.duetime.specification.LogLines;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rule that a payload is never logged, whatever goes wrong. */
class PayloadLogTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final String SECRET = "4111-1111-1111-1111";

    private final TestClock clock = new TestClock();

    @Test
    void noLineOfAnyLevelHoldsAPayload() {
        try (LogLines lines = LogLines.ofAll()) {
            TimerKit kit = TimerKit.builder()
                    .store(new RottenRows(new InMemoryScheduleStore(clock)))
                    .configure(scheduler -> scheduler
                            .listener(new Throwing())
                            .propagation(headers -> {
                                throw new IllegalStateException("no context");
                            })
                            .retry(RetryPolicy.custom(PayloadLogTest::failToDelay, SECOND)
                                    .maxAttempts(2))
                            .publisher(PayloadLogTest::refusePoison))
                    .build();
            kit.scheduler()
                    .scheduleAll(List.of(
                            timer("good").build(),
                            timer("poison").build(),
                            timer("rotten").build(),
                            timer("late").expiresAt(kit.now().plus(SECOND)).build()));
            kit.node(0).pause();
            kit.advance(SECOND.multipliedBy(2));
            kit.node(0).resume();
            kit.advance(SECOND.multipliedBy(2));
            kit.scheduler().schedule(timer("another").build());
            kit.advance(SECOND.multipliedBy(5));
            kit.node(0).storeDown();
            kit.advance(SECOND.multipliedBy(5));
            kit.node(0).storeUp();
            kit.advance(SECOND.multipliedBy(5));

            StoredTimer poison = kit.store().find(TimerKey.of("poison")).orElseThrow();
            assertThat(poison.state()).isEqualTo(TimerState.DEAD);
            assertThat(poison.failure())
                    .isNotNull()
                    .satisfies(failure -> assertThat(failure.error())
                            .as("kept for whoever may read the row")
                            .contains(SECRET));
            assertThat(kit.store().find(TimerKey.of("rotten")).map(StoredTimer::state))
                    .hasValue(TimerState.DEAD);
            assertThat(kit.store().find(TimerKey.of("late")).map(StoredTimer::state))
                    .hasValue(TimerState.EXPIRED);
            assertThat(lines.all()).hasSizeGreaterThan(6);
            assertThat(lines.all()).noneMatch(each -> text(each).contains(SECRET));
        }
    }

    @Test
    void onlyListenersGetTheMessageOfALonePoisonEnvelope() {
        List<Throwable> told = new ArrayList<>();
        try (LogLines lines = LogLines.ofAll()) {
            TimerKit kit = TimerKit.builder()
                    .configure(scheduler -> scheduler
                            .listener(new NodeListener() {
                                @Override
                                public void outageBegan(String what, Throwable cause) {
                                    told.add(cause);
                                }
                            })
                            .publisher(PayloadLogTest::refusePoison))
                    .build();
            kit.scheduler().schedule(timer("poison").build());
            kit.advance(SECOND.multipliedBy(9));

            assertThat(lines.messages(Level.WARN))
                    .singleElement()
                    .asString()
                    .startsWith("publisher of queue default is unavailable; retrying, no timer is lost: "
                            + "java.io.IOException at dev.duetime.specification.operate.PayloadLogTest.refusePoison(")
                    .endsWith(", caused by java.lang.IllegalArgumentException");
            assertThat(lines.all())
                    .anyMatch(each ->
                            text(each).contains("at dev.duetime.specification.operate.PayloadLogTest.refusePoison"))
                    .noneMatch(each -> text(each).contains(SECRET));
            assertThat(told)
                    .singleElement()
                    .satisfies(cause -> assertThat(cause).hasMessageContaining(SECRET));
        }
    }

    /** Fails as many publishers do: the message quotes the envelope. */
    private static void refusePoison(List<Envelope> batch) throws IOException {
        for (Envelope envelope : batch) {
            if (envelope.key().timerId().equals("poison")) {
                String payload = envelope.toJson();
                throw new IOException("refused: " + payload, new IllegalArgumentException("bad: " + payload));
            }
        }
    }

    private static Duration failToDelay(int attempts, Throwable error) {
        throw new IllegalStateException("no delay for " + error.getMessage(), error);
    }

    private static Timer.Builder timer(String id) {
        return Timer.after(id, SECOND).payload(new Card(SECRET));
    }

    private static String text(ILoggingEvent event) {
        return event.getFormattedMessage()
                + event.getMDCPropertyMap()
                + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    /** A payload that is easy to find in a log line. */
    record Card(String number) {}

    private static final class Throwing implements TimerListener {
        @Override
        public void delivered(Envelope envelope) {
            throw new IllegalStateException("broken by " + envelope.toJson());
        }

        @Override
        public void dead(DeadTimer timer) {
            throw new IllegalStateException(
                    "broken", new IOException(timer.failure().error()));
        }
    }

    /** A store that cannot read the rows of one timer. */
    private static final class RottenRows extends PassThroughStore {
        RottenRows(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = intact.due(query);
            return new DueTimers(
                    due.timers().stream().filter(each -> !isRotten(each)).toList(),
                    due.timers().stream()
                            .filter(RottenRows::isRotten)
                            .map(each -> new DueTimers.Undecodable(
                                    each.key(), each.generation(), each.attempt(), "headers must be a JSON object"))
                            .toList(),
                    due.more());
        }

        private static boolean isRotten(StoredTimer timer) {
            return timer.key().timerId().equals("rotten");
        }
    }
}

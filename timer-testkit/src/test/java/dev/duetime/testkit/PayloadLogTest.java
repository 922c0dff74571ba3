package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.duetime.DeadTimer;
import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerListener;
import dev.duetime.TimerState;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Specifies that a payload is never logged, whatever goes wrong. */
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
                            .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(2))
                            .publisher(batch -> {
                                if (batch.stream().anyMatch(PayloadLogTest::isPoison)) {
                                    throw new IOException("refused");
                                }
                            }))
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

            assertThat(kit.store().find(TimerKey.of("poison")).map(StoredTimer::state))
                    .hasValue(TimerState.DEAD);
            assertThat(kit.store().find(TimerKey.of("rotten")).map(StoredTimer::state))
                    .hasValue(TimerState.DEAD);
            assertThat(kit.store().find(TimerKey.of("late")).map(StoredTimer::state))
                    .hasValue(TimerState.EXPIRED);
            assertThat(lines.all()).hasSizeGreaterThan(6);
            assertThat(lines.all()).noneMatch(each -> text(each).contains(SECRET));
        }
    }

    private static boolean isPoison(Envelope envelope) {
        return envelope.key().timerId().equals("poison");
    }

    private static Timer.Builder timer(String id) {
        return Timer.after(id, SECOND).payload(new Card(SECRET));
    }

    private static String text(ILoggingEvent event) {
        return event.getFormattedMessage()
                + event.getMDCPropertyMap()
                + (event.getThrowableProxy() == null ? "" : ThrowableProxyUtil.asString(event.getThrowableProxy()));
    }

    /** Is a payload that would be found in a line. */
    record Card(String number) {}

    private static final class Throwing implements TimerListener {
        @Override
        public void delivered(Envelope envelope) {
            throw new IllegalStateException("broken");
        }

        @Override
        public void dead(DeadTimer timer) {
            throw new IllegalStateException("broken");
        }
    }

    /** Cannot read the rows of one timer. */
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

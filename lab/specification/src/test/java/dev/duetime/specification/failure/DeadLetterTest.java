package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.UnknownTypeException;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of dead timers: those that can neither succeed nor expire. */
class DeadLetterTest extends DyingTimers {
    /** Fails the batch as a whole, without naming the envelope that caused the failure. */
    private static void refuse(List<Envelope> batch, String timerId) throws IOException {
        if (batch.stream().anyMatch(each -> each.key().timerId().equals(timerId))) {
            throw new IOException("refused");
        }
    }

    @Nested
    class OneAmongTenThousand {
        @ParameterizedTest
        @ValueSource(strings = {"t-0", "t-4711", "t-9000"})
        void isTheOnlyOneThatSpendsAttemptsAndEndsAsDead(String poison) {
            TimerKit kit = kit(RETRY.maxAttempts(3), batch -> refuse(batch, poison));
            schedule(kit, 10_000, Duration.ofMillis(50));
            kit.advance(Duration.ofHours(1));
            assertThat(dead(kit)).extracting(each -> each.key().timerId()).containsExactly(poison);
            assertThat(stored(kit, poison).attempt()).isEqualTo(3);
            assertThat(kit.scheduler()
                            .query(TimerQuery.all().state(TimerState.REACHED).limit(10_000)))
                    .hasSize(9_999)
                    .allSatisfy(each -> {
                        assertThat(each.attempt()).isEqualTo(1);
                        assertThat(each.failure()).isNull();
                    });
            assertThat(published).hasSize(9_999).doesNotHaveDuplicates();
            assertThat(listener.failed).containsExactly(poison, poison, poison);
        }

        @ParameterizedTest
        @ValueSource(strings = {"t-0", "t-4711", "t-9999"})
        void endsAtOnceAsDeadWithAnErrorThatIsNeverRetried(String poison) {
            TimerKit kit = kit(RETRY.noRetryOn(IOException.class), batch -> refuse(batch, poison));
            schedule(kit, 10_000, Duration.ZERO);
            kit.runDue();
            assertThat(dead(kit)).extracting(each -> each.key().timerId()).containsExactly(poison);
            assertThat(published).hasSize(9_999).doesNotHaveDuplicates();
            assertThat(calls).isLessThan(60);
        }
    }

    @Nested
    class APartialFailure {
        private TimerKit naming(Map<String, Throwable> errors) {
            return kit(RETRY.noRetryOn(IllegalArgumentException.class), batch -> {
                Map<String, Throwable> failures = new HashMap<>();
                batch.forEach(each -> {
                    Throwable error = errors.get(each.key().timerId());
                    if (error != null) {
                        failures.put(each.id(), error);
                    }
                });
                if (!failures.isEmpty()) {
                    throw new PartialPublishException(failures);
                }
            });
        }

        @Test
        void endsThoseThatAreNeverRetriedAndRetriesTheOthers() {
            TimerKit kit =
                    naming(Map.of("t-3", new IllegalArgumentException("refused"), "t-4", new IOException("busy")));
            schedule(kit, 10, Duration.ZERO);
            kit.runDue();
            assertThat(dead(kit)).extracting(each -> each.key().timerId()).containsExactly("t-3");
            assertThat(stored(kit, "t-4").state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(stored(kit, "t-4").attempt()).isEqualTo(1);
            assertThat(calls).isEqualTo(1);
        }

        @Test
        void thatNamesAllEnvelopesCountsForEach() {
            TimerKit kit =
                    naming(Map.of("t-0", new IllegalArgumentException("refused"), "t-1", new IOException("busy")));
            schedule(kit, 2, Duration.ZERO);
            kit.runDue();
            Failure failure = Objects.requireNonNull(stored(kit, "t-0").failure());
            assertThat(stored(kit, "t-0").state()).isEqualTo(TimerState.DEAD);
            assertThat(failure.error()).isEqualTo("java.lang.IllegalArgumentException: refused");
            assertThat(stored(kit, "t-1").state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(stored(kit, "t-1").attempt()).isEqualTo(1);
        }
    }

    @Nested
    class ByDefault {
        @Test
        void aPayloadThatThePublisherCannotReadEndsAsDead() {
            TimerKit kit = kit(RETRY, batch -> batch.forEach(each -> each.payload(Integer.class)));
            kit.scheduler()
                    .schedule(Timer.after("a", SECOND)
                            .payload(Payload.of("\"4111-1111\"".getBytes(java.nio.charset.StandardCharsets.UTF_8)))
                            .build());
            kit.advance(SECOND);
            StoredTimer dead = stored(kit, "a");
            assertThat(dead.state()).isEqualTo(TimerState.DEAD);
            assertThat(Objects.requireNonNull(dead.failure()).error())
                    .contains("PayloadException", "cannot be decoded as java.lang.Integer")
                    .doesNotContain("4111");
            assertThat(dead.content().payload().size()).isEqualTo(11);
        }

        @Test
        void anUnknownTypeEndsAsDeadAndDelaysNoOther() {
            TimerKit kit = kit(
                    RETRY,
                    batch -> batch.forEach(each -> {
                        if (!each.type().equals("timer")) {
                            throw new UnknownTypeException(each.type(), List.of("timer"));
                        }
                    }));
            kit.scheduler().schedule(Timer.after("a", SECOND).type("tiemr").build());
            kit.scheduler().schedule(Timer.after("b", SECOND).build());
            kit.advance(SECOND);
            assertThat(published).containsExactly("b");
            kit.advance(Duration.ofDays(1));
            assertThat(stored(kit, "a").state()).isEqualTo(TimerState.DEAD);
            assertThat(Objects.requireNonNull(stored(kit, "a").failure()).error())
                    .endsWith("type must be one of [timer] but was 'tiemr'");
            assertThat(published).containsExactly("b");
        }

        @Test
        void anEmptyListRetriesUnreadablePayloads() {
            TimerKit kit = kit(RETRY.noRetryOn(), batch -> batch.forEach(each -> each.payload(Integer.class)));
            kit.scheduler().schedule(Timer.after("a", SECOND).payload("x").build());
            kit.advance(Duration.ofMinutes(1));
            assertThat(stored(kit, "a").state()).isEqualTo(TimerState.SCHEDULED);
        }
    }

    @Test
    void anErrorWhoseMessageCannotBeReadIsKeptByItsClass() {
        TimerKit kit = kit(RETRY.noRetryOn(Mute.class), batch -> {
            throw new Mute();
        });
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(SECOND);
        assertThat(Objects.requireNonNull(stored(kit, "a").failure()).error()).isEqualTo(Mute.class.getName());
    }

    private static final class Mute extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no words");
        }
    }
}

package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RetryPolicyTest {
    private static final RandomGenerator MOST = () -> -1L;
    private static final RandomGenerator LEAST = () -> 0L;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration DAY = Duration.ofDays(1);

    private final Throwable error = new IOException("refused");
    private final RetryPolicy policy = RetryPolicy.exponential(SECOND, Duration.ofSeconds(5));

    private Duration delay(RetryPolicy of, int attempts) {
        return of.rule().delay(attempts, error, MOST);
    }

    @Nested
    class Delays {
        @Test
        void doubleUpToTheCap() {
            assertThat(delay(policy, 1)).isBetween(Duration.ofMillis(999), SECOND);
            assertThat(delay(policy, 2)).isBetween(Duration.ofMillis(1_999), Duration.ofSeconds(2));
            assertThat(delay(policy, 3)).isBetween(Duration.ofMillis(3_999), Duration.ofSeconds(4));
            assertThat(delay(policy, 4)).isBetween(Duration.ofMillis(4_999), Duration.ofSeconds(5));
            assertThat(delay(policy, 1_000_000)).isLessThanOrEqualTo(Duration.ofSeconds(5));
        }

        @Test
        void areShortenedByAQuarterAtMost() {
            assertThat(policy.rule().delay(1, error, LEAST)).isEqualTo(Duration.ofMillis(750));
        }

        @Test
        void areEqualIfFixed() {
            RetryPolicy fixed = RetryPolicy.fixed(Duration.ofSeconds(7));

            assertThat(Stream.of(1, 2, 50).map(attempts -> fixed.rule().delay(attempts, error, LEAST)))
                    .containsOnly(Duration.ofSeconds(7));
        }
    }

    @Nested
    class TheUsersFunction {
        @Test
        void isAskedForEachDelayWithAttemptsAndError() {
            List<Throwable> errors = new ArrayList<>();
            RetryPolicy custom = RetryPolicy.custom(
                    (attempts, cause) -> {
                        errors.add(cause);
                        return SECOND.multipliedBy(attempts);
                    },
                    DAY);

            assertThat(delay(custom, 1)).isEqualTo(SECOND);
            assertThat(delay(custom, 17)).isEqualTo(Duration.ofSeconds(17));
            assertThat(errors).containsExactly(error, error);
        }

        @ParameterizedTest
        @MethodSource("dev.duetime.RetryPolicyTest#nonsense")
        void isReplacedByExponentialDelaysIfItsResultIsUnusable(RetryDelay nonsense) {
            RetryPolicy custom = RetryPolicy.custom(nonsense, DAY);

            assertThat(delay(custom, 1)).isBetween(Duration.ofMillis(999), SECOND);
            assertThat(delay(custom, 2)).isBetween(Duration.ofMillis(1_999), Duration.ofSeconds(2));
            assertThat(delay(custom, 99)).isBetween(Duration.ofMinutes(4), Duration.ofMinutes(5));
        }

        @Test
        void waitsForTheCapAtMostAlsoWhereItIsReplaced() {
            RetryPolicy years = RetryPolicy.custom((attempts, cause) -> Duration.ofSeconds(Long.MAX_VALUE), DAY);
            RetryPolicy nothing = RetryPolicy.custom((attempts, cause) -> Duration.ofDays(-1), Duration.ofMillis(5));

            assertThat(delay(years, 1)).isEqualTo(DAY);
            assertThat(delay(nothing, 1)).isEqualTo(Duration.ofMillis(5));
        }

        @Test
        void waitsForAMillisecondAtLeast() {
            assertThat(delay(RetryPolicy.custom((attempts, cause) -> Duration.ZERO, DAY), 1))
                    .isEqualTo(Duration.ofMillis(1));
        }
    }

    @SuppressWarnings("NullAway") // The point is that a user may return it.
    static Stream<RetryDelay> nonsense() {
        return Stream.of(
                (attempts, cause) -> null,
                (attempts, cause) -> Duration.ofNanos(-1),
                (attempts, cause) -> Duration.ofSeconds(Long.MIN_VALUE),
                (attempts, cause) -> {
                    throw new IllegalStateException("broken");
                },
                (attempts, cause) -> {
                    throw new NoClassDefFoundError("broken");
                });
    }

    @Nested
    class TheEnd {
        @Test
        void comesOnlyWhereItIsSet() {
            assertThat(policy.isExhausted(1_000_000)).isFalse();
            assertThat(policy.maxAttempts(3).isExhausted(2)).isFalse();
            assertThat(policy.maxAttempts(3).isExhausted(3)).isTrue();
        }

        @Test
        void comesAtOnceForUnreadablePayloadsButNotForUnknownTypes() {
            PayloadException unreadable = catchThrowableOfType(
                    PayloadException.class, () -> Payload.of(new byte[] {1}).as(List.class));

            assertThat(policy.isHopeless(unreadable)).isTrue();
            assertThat(policy.isHopeless(new UnknownTypeException("t", List.of("u"))))
                    .isFalse();
            assertThat(policy.isHopeless(error)).isFalse();
        }

        @Test
        void comesAtOnceForErrorsThatAreNamedAndTheirSubclasses() {
            RetryPolicy named = policy.noRetryOn(IOException.class, IllegalStateException.class);

            assertThat(named.isHopeless(new IOException("x"))).isTrue();
            assertThat(named.isHopeless(new ConnectException("x"))).isTrue();
            assertThat(named.isHopeless(new IllegalStateException("x"))).isTrue();
            assertThat(named.isHopeless(new Exception("x"))).isFalse();
            assertThat(policy.noRetryOn(ConnectException.class).isHopeless(new IOException("x")))
                    .isFalse();
        }

        @Test
        void comesForACauseThatIsNamed() {
            RetryPolicy named = policy.noRetryOn(ConnectException.class);

            assertThat(named.isHopeless(
                            new ExecutionException(new IllegalStateException(new ConnectException("refused")))))
                    .isTrue();
            assertThat(named.isHopeless(new ExecutionException(new IOException("x"))))
                    .isFalse();
        }

        @Test
        void isFoundInCausesThatGoRoundInACircle() {
            Exception first = new Exception("first");
            first.initCause(new Exception("second", first));

            assertThat(policy.isHopeless(first)).isFalse();
        }

        @Test
        void replacesTheStandardErrors() {
            PayloadException unreadable = catchThrowableOfType(
                    PayloadException.class, () -> Payload.of(new byte[] {1}).as(List.class));

            assertThat(policy.noRetryOn().isHopeless(unreadable)).isFalse();
            assertThat(policy.noRetryOn(IOException.class).isHopeless(unreadable))
                    .isFalse();
            assertThat(policy.noRetryOn(IOException.class).maxAttempts(2).isHopeless(error))
                    .isTrue();
        }
    }

    @Test
    @SuppressWarnings({"NullAway", "unchecked"}) // Callers without null checks may do this.
    void settingsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(Duration.ZERO, SECOND))
                .withMessage("first must be at least PT0.001S but was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(Duration.ofSeconds(2), SECOND))
                .withMessage("cap must be at least PT2S but was PT1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.fixed(Duration.ofDays(366)))
                .withMessage("delay must be at most PT8760H but was PT8784H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.custom(null, DAY))
                .withMessage("delay must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.custom((attempts, cause) -> SECOND, Duration.ZERO))
                .withMessage("cap must be at least PT0.001S but was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.maxAttempts(0))
                .withMessage("maxAttempts must be between 1 and 2147483647 but was 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> policy.noRetryOn((Class<? extends Throwable>) null))
                .withMessage("noRetryOn must not be null");
    }
}

package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RetryPolicyTest {
    private static final RandomGenerator MOST = () -> -1L;
    private static final RandomGenerator LEAST = () -> 0L;

    @Test
    void delaysDoubleUpToTheCap() {
        RetryPolicy policy = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(5));

        assertThat(policy.delay(1, MOST)).isBetween(Duration.ofMillis(999), Duration.ofSeconds(1));
        assertThat(policy.delay(2, MOST)).isBetween(Duration.ofMillis(1_999), Duration.ofSeconds(2));
        assertThat(policy.delay(3, MOST)).isBetween(Duration.ofMillis(3_999), Duration.ofSeconds(4));
        assertThat(policy.delay(4, MOST)).isBetween(Duration.ofMillis(4_999), Duration.ofSeconds(5));
        assertThat(policy.delay(1_000_000, MOST)).isLessThanOrEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void chanceTakesAQuarterAtMost() {
        RetryPolicy policy = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(5));

        assertThat(policy.delay(1, LEAST)).isEqualTo(Duration.ofMillis(750));
    }

    @Test
    void itEndsOnlyWhereAnEndIsSet() {
        RetryPolicy endless = RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(5));

        assertThat(endless.isExhausted(1_000_000)).isFalse();
        assertThat(endless.maxAttempts(3).isExhausted(2)).isFalse();
        assertThat(endless.maxAttempts(3).isExhausted(3)).isTrue();
    }

    @Test
    void settingsAreChecked() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(Duration.ZERO, Duration.ofSeconds(1)))
                .withMessage("first must be at least PT0.001S but was PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .withMessage("cap must be at least PT2S but was PT1S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofSeconds(1))
                        .maxAttempts(0))
                .withMessage("maxAttempts must be between 1 and 2147483647 but was 0");
    }
}

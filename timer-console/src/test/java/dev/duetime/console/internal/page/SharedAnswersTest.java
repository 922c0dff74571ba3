package dev.duetime.console.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The rule that shared answers are few, and old ones are not given. */
class SharedAnswersTest {
    private static final int MOST = 10;

    private final AtomicInteger asked = new AtomicInteger();

    @Test
    void aFreshAnswerIsShared() {
        SharedAnswers answers = new SharedAnswers(Duration.ofDays(1), MOST);

        assertThat(answers.<Integer>get("a", asked::incrementAndGet)).isEqualTo(1);
        assertThat(answers.<Integer>get("a", asked::incrementAndGet)).isEqualTo(1);
        assertThat(answers.<Integer>get("b", asked::incrementAndGet)).isEqualTo(2);
    }

    @Test
    void anOldAnswerIsNotGiven() {
        SharedAnswers answers = new SharedAnswers(Duration.ZERO, MOST);

        answers.get("a", asked::incrementAndGet);

        assertThat(answers.<Integer>get("a", asked::incrementAndGet)).isEqualTo(2);
    }

    @Test
    void anAnswerThatTookLongIsSharedForLonger() {
        AtomicLong nanos = new AtomicLong();
        SharedAnswers answers = new SharedAnswers(Duration.ofSeconds(2), MOST, nanos::get);
        answers.get("slow", () -> nanos.addAndGet(Duration.ofMillis(500).toNanos()));
        answers.get("quick", asked::incrementAndGet);

        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        assertThat(answers.<Integer>get("quick", asked::incrementAndGet)).isEqualTo(2);
        nanos.addAndGet(Duration.ofSeconds(8).toNanos() - 1);
        assertThat(answers.<Long>get("slow", () -> -1L)).isNotEqualTo(-1);
        nanos.incrementAndGet();
        assertThat(answers.<Long>get("slow", () -> -1L)).isEqualTo(-1);
    }

    @Test
    void whoeverAsksForManyDifferentAnswersDoesNotFillTheMemory() {
        for (Duration fresh : new Duration[] {Duration.ZERO, Duration.ofDays(1)}) {
            SharedAnswers answers = new SharedAnswers(fresh, MOST);
            for (int i = 0; i < 1_000; i++) {
                answers.get(i, asked::incrementAndGet);
                assertThat(answers.size()).isLessThanOrEqualTo(MOST);
            }
        }
    }

    @Test
    void aFailureIsNotKept() {
        SharedAnswers answers = new SharedAnswers(Duration.ofDays(1), MOST);

        assertThatThrownBy(() -> answers.get("a", () -> {
                    throw new IllegalStateException("the database is away");
                }))
                .isInstanceOf(IllegalStateException.class);

        assertThat(answers.<Integer>get("a", asked::incrementAndGet)).isEqualTo(1);
    }
}

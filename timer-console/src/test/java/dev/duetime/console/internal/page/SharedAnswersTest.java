package dev.duetime.console.internal.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
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
    void theOldestAnswerMakesRoomForTheNextOne() {
        AtomicLong nanos = new AtomicLong();
        SharedAnswers answers = new SharedAnswers(Duration.ofDays(1), MOST, nanos::get);
        for (int i = 0; i <= MOST; i++) {
            nanos.incrementAndGet();
            answers.get(i, asked::incrementAndGet);
        }

        for (int i = 1; i <= MOST; i++) {
            assertThat(answers.<Integer>get(i, asked::incrementAndGet)).isEqualTo(i + 1);
        }
        assertThat(answers.<Integer>get(0, asked::incrementAndGet)).isEqualTo(MOST + 2);
    }

    @Test
    void anAnswerThatTookVeryLongIsSharedForHalfAMinute() {
        AtomicLong nanos = new AtomicLong();
        SharedAnswers answers = new SharedAnswers(Duration.ofSeconds(2), MOST, nanos::get);
        answers.get("slow", () -> nanos.addAndGet(Duration.ofSeconds(15).toNanos()));

        nanos.addAndGet(Duration.ofSeconds(30).toNanos() - 1);
        assertThat(answers.<Long>get("slow", () -> -1L)).isNotEqualTo(-1);
        nanos.incrementAndGet();
        assertThat(answers.<Long>get("slow", () -> -1L)).isEqualTo(-1);
    }

    /** Each of them would wait in turn for a database that does not answer. */
    @Test
    void whoeverWaitsForAFailingAnswerGetsTheFailure() throws Exception {
        SharedAnswers answers = new SharedAnswers(Duration.ofSeconds(2), MOST);
        List<Thread> waiting = new ArrayList<>();
        AtomicInteger failed = new AtomicInteger();
        Supplier<Object> work = () -> {
            asked.incrementAndGet();
            throw new IllegalStateException("the database is away");
        };
        for (int i = 0; i < 5; i++) {
            waiting.add(new Thread(() -> {
                try {
                    answers.get("a", work);
                } catch (IllegalStateException e) {
                    failed.incrementAndGet();
                }
            }));
        }

        assertThatThrownBy(() -> answers.get("a", () -> {
                    waiting.forEach(Thread::start);
                    while (waiting.stream().anyMatch(each -> each.getState() != Thread.State.BLOCKED)) {
                        Thread.onSpinWait();
                    }
                    return work.get();
                }))
                .isInstanceOf(IllegalStateException.class);
        for (Thread each : waiting) {
            each.join();
        }

        assertThat(failed).hasValue(5);
        assertThat(asked).hasValue(1);
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

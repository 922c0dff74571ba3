package dev.duetime.specification.handlers;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.handlers.Handlers;
import dev.duetime.specification.LogLines;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A failing handler is logged as a warning: its first failure at once, and then not more than once a minute. */
class FailureLogTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .retry(RetryPolicy.exponential(SECOND, SECOND))
                    .extension(Handlers.builder()
                            .on("fails", due -> {
                                throw new IllegalStateException("secret payload");
                            })
                            .on("also\u2028fails", due -> {
                                throw new IllegalStateException("secret payload");
                            })
                            .on("succeeds", due -> {})
                            .build()))
            .build();

    @AfterEach
    void close() {
        kit.close();
    }

    private List<String> warnings(Duration duration) {
        try (LogLines lines = LogLines.ofDuetime()) {
            kit.advance(duration);
            return lines.messages(Level.WARN);
        }
    }

    private void schedule(String id, String type) {
        kit.scheduler()
                .schedule(
                        Timer.after(TimerKey.of("acme", id), SECOND).type(type).build());
    }

    @Test
    void theFirstFailureOfATypeNamesClassAndPlaceButNoMessage() {
        schedule("a", "fails");
        schedule("b", "succeeds");

        List<String> lines = warnings(SECOND);

        assertThat(lines).hasSize(1);
        assertThat(lines.get(0))
                .startsWith("timer acme/a of type fails in queue default failed in attempt 1, retry at 20")
                .contains("java.lang.IllegalStateException at " + FailureLogTest.class.getName())
                .contains("FailureLogTest.java:")
                .doesNotContain("secret");
    }

    @Test
    void laterFailuresAreLoggedOnceAMinuteWithTheirNumber() {
        schedule("a", "fails");
        assertThat(warnings(SECOND)).hasSize(1);

        assertThat(warnings(Duration.ofSeconds(59))).isEmpty();

        List<String> lines = warnings(Duration.ofMinutes(3));
        assertThat(lines).hasSizeBetween(2, 3);
        assertThat(lines.get(0)).containsPattern("; [4-6]\\d others of its type have failed since 20");
    }

    @Test
    void aClockThatWasAheadForAMomentHidesNoLaterFailure() {
        kit.node(0).clock().jump(Duration.ofHours(1));
        schedule("a", "fails");
        assertThat(warnings(SECOND)).hasSize(1);
        kit.node(0).clock().jump(Duration.ofHours(-1));
        kit.scheduler().cancel(TimerKey.of("acme", "a"));
        schedule("b", "fails");

        assertThat(warnings(Duration.ofSeconds(5))).hasSize(1);
    }

    @Test
    void eachTypeHasItsOwnFirstLineAndNoLineBreaks() {
        schedule("a", "fails");
        schedule("b", "also\u2028fails");

        assertThat(warnings(SECOND))
                .hasSize(2)
                .noneMatch(line -> line.contains("\u2028"))
                .anyMatch(line -> line.contains("also"));
    }
}

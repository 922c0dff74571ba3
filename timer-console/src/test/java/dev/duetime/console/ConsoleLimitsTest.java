package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that the page of a queue shows what holds it up: its limits, and who uses them. */
class ConsoleLimitsTest extends ConsoleKit {
    private static final String HOSTILE = "<img src=x>";

    private final TimerKit limited = TimerKit.builder()
            .configure(settings -> settings.queue(
                    "mail",
                    queue -> queue.publisher(batch -> {})
                            .rateLimit(RateLimit.of(2, Duration.ofMinutes(1)))
                            .type(HOSTILE, type -> type.concurrencyLimit(7))))
            .build();

    private void backlog() {
        console = Console.of(limited.scheduler()).build(Runnable::run, Duration.ZERO);
        limited.scheduler()
                .scheduleAll(IntStream.range(0, 20)
                        .mapToObj(i -> Timer.after(TimerKey.of("acme", "t" + i), Duration.ZERO)
                                .type(HOSTILE)
                                .queue("mail")
                                .build())
                        .toList());
        limited.advance(Duration.ofSeconds(5));
    }

    @Test
    void aQueueShowsItsLimitsAndWhoUsesThem() {
        backlog();

        assertThat(page("/queue?name=mail"))
                .contains(
                        "<h2>Limits</h2>",
                        "one in 30 s",
                        "2 of 2",
                        "concurrency of type &lt;img src=x&gt;",
                        "7 at once",
                        "timers that it has read wait for <b>rate</b>")
                .doesNotContain("<img");
        assertThat(page("/queue?name=default")).doesNotContain("<h2>Limits</h2>");
    }

    @Test
    void aFenceHidesTheLimits() {
        backlog();
        console = Console.of(limited.scheduler())
                .access(request -> Grant.operate("olga").fencedTo(Set.of("acme")))
                .build(Runnable::run, Duration.ZERO);

        assertThat(page("/queue?name=mail")).doesNotContain("Limits", "one in 30 s");
    }
}

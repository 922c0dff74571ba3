package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rule that many open pages cost the database as much as one. */
class ConsoleCostTest extends ConsoleKit {

    @Test
    void openPagesShareTheirReads() {
        console = Console.of(kit.scheduler()).build(Runnable::run, Duration.ofDays(1));
        headers.put("cookie", Guard.COOKIE + "=" + TOKEN);
        String overview = page("/");
        String dead = page("/dead");
        schedule(TimerKey.of("a"), "mail");

        for (int i = 0; i < 20; i++) {
            assertThat(page("/")).isEqualTo(overview);
            assertThat(page("/dead")).isEqualTo(dead);
        }
    }

    @Test
    void whatAnOperatorDoesIsSeenAtOnce() {
        console = Console.of(kit.scheduler()).build(Runnable::run, Duration.ofDays(1));
        headers.put("cookie", Guard.COOKIE + "=" + TOKEN);
        assertThat(page("/queue?name=mail")).contains("Pause on all nodes");

        post("/do/queue", "action=pause&queue=mail&reason=why");

        assertThat(page("/queue?name=mail")).contains("Resume").doesNotContain("Pause on all nodes");
    }
}

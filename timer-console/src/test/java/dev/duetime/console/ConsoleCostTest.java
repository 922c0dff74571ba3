package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import java.time.Duration;
import java.util.List;
import java.util.Set;
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

    @Test
    void thePartThatChangesIsMadeOnceForAllWhoMaySeeTheSame() {
        open(Grant.operate("anna"));
        String ofAnna = part("/queue?name=mail", TOKEN);
        kit.advance(HOUR);

        open(Grant.operate("<bob>"));
        String ofBob = part("/queue?name=mail", "another-token-0000000000");

        assertThat(ofBob)
                .isEqualTo(ofAnna.replace(TOKEN, "another-token-0000000000"))
                .startsWith("<main")
                .doesNotContain("anna", "bob", TOKEN);
        assertThat(ofAnna).contains("value=\"" + TOKEN + "\"");
    }

    @Test
    void thePartOfAReaderHasNoFormsAndThatOfAFenceNoOtherTenants() {
        schedule(TimerKey.of("acme", "a"), "mail");
        open(Grant.operate("anna"));
        assertThat(part("/queue?name=mail", TOKEN)).contains("<form");
        assertThat(part("/timer?tenant=acme&id=a", TOKEN)).contains("<form");

        open(Grant.read("rita"));
        assertThat(part("/queue?name=mail", TOKEN)).doesNotContain("<form");
        open(Grant.operate("olga").fencedTo(Set.of("other")));
        assertThat(part("/queue?name=mail", TOKEN)).doesNotContain("<form");
        headers.put("hx-request", "true");
        assertThat(get("/timer?tenant=acme&id=a").status()).isEqualTo(404);
    }

    @Test
    void noPartShowsTheReader() {
        open(Grant.operate("anna"));
        schedule(TimerKey.of("acme", "a"), "mail");
        for (String page : List.of(
                "/",
                "/queue?name=mail",
                "/timers",
                "/timer?tenant=acme&id=a",
                "/dead",
                "/recurring",
                "/lists",
                "/nodes",
                "/activity")) {
            assertThat(part(page, TOKEN)).as(page).startsWith("<main").doesNotContain("anna");
        }
    }

    private Grant reader = Grant.none();

    /** Lets another person use the console, which stays the same. */
    private void open(Grant grant) {
        if (reader.level() == Grant.Level.NONE) {
            console = Console.of(kit.scheduler()).access(request -> reader).build(Runnable::run, Duration.ofDays(1));
        }
        reader = grant;
    }

    private String part(String address, String token) {
        headers.put("cookie", Guard.COOKIE + "=" + token);
        headers.put("hx-request", "true");
        return page(address);
    }
}

package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rules of who may see and do what. */
class ConsoleAccessTest extends ConsoleKit {
    private static final TimerKey KEY = TimerKey.of("acme", "a");

    @Test
    void withoutAnAccessFunctionOnlyThisMachineIsServed() throws Exception {
        assertThat(get("/").status()).isEqualTo(200);

        for (String each : List.of(
                "forwarded",
                "via",
                "x-forwarded-for",
                "x-forwarded-host",
                "x-forwarded-proto",
                "x-real-ip",
                "true-client-ip",
                "cf-connecting-ip")) {
            headers.put(each, "10.0.0.7");
            assertThat(get("/").status()).as(each).isEqualTo(403);
            headers.remove(each);
        }

        ConsoleRequest local = request("GET", "/", "");
        ConsoleRequest remote = new ConsoleRequest(
                "GET", "/", Map.of(), local.headers(), InetAddress.getByAddress(new byte[] {10, 0, 0, 7}));
        assertThat(console.answer(remote).status()).isEqualTo(403);
    }

    @Test
    void aServerForOthersMustHaveAnAccessFunction() {
        assertThatThrownBy(() -> ConsoleServer.start(Console.of(kit.scheduler()), new InetSocketAddress(0)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("access(…)");
    }

    @Test
    void anotherNameOfTheHostIsRefused() {
        headers.put("host", "evil.example:8090");
        assertThat(get("/").status()).isEqualTo(403);

        for (String host : new String[] {"", ":8090", "localhost:8090@evil.example", "localhost:x", "[::1", "[::1]x"}) {
            headers.put("host", host);
            assertThat(get("/").status()).as(host).isEqualTo(403);
        }

        headers.put("host", "[::1]:8090");
        assertThat(get("/").status()).isEqualTo(200);

        console = Console.of(kit.scheduler()).hosts("Ops.example").build();
        headers.put("host", "ops.example");
        assertThat(get("/").status()).isEqualTo(200);
    }

    /** A link could otherwise make the console say anything. */
    @Test
    void anotherSiteCannotMakeThePageSayThatSomethingWasDone() {
        assertThat(page("/?done=All+was+purged")).contains("All was purged");
        headers.put("sec-fetch-site", "same-origin");
        assertThat(page("/?done=All+was+purged")).contains("All was purged");

        for (String site : List.of("cross-site", "same-site", "none")) {
            headers.put("sec-fetch-site", site);
            assertThat(page("/?done=All+was+purged")).as(site).doesNotContain("All was purged");
        }
    }

    @Test
    void theNameOfAParameterCannotAddAnother() {
        assertThat(page("/?x%26tenant%3Devil=1")).contains("hx-get=\"/?x%26tenant%3Devil=1\"");
    }

    @Test
    void nobodyWithoutAGrantSeesAnything() {
        grant(Grant.none());

        assertThat(get("/").status()).isEqualTo(403);
        assertThat(get("/timers").status()).isEqualTo(403);
        assertThat(get("/live").status()).isEqualTo(403);
    }

    @Test
    void aReaderIsRefusedEachActionByTheServer() {
        grant(Grant.read("rita"));
        schedule(KEY, "mail");

        assertThat(page("/timers?state=scheduled")).doesNotContain("<button name=\"action\"");
        for (String path : new String[] {"/do/ask", "/do/all", "/do/ticked", "/do/queue", "/do/stop"}) {
            ConsoleResponse response =
                    post(path, "action=cancel&typed=cancel&state=scheduled&key=acme/a/&queue=default");
            assertThat(response.status()).as(path).isEqualTo(403);
            assertThat(body(response)).contains("You may read, but not operate.");
        }
        assertThat(state(KEY)).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aFormFromElsewhereIsRefused() {
        schedule(KEY, "mail");
        String form = "action=deliver&key=acme/a/";

        headers.put("sec-fetch-site", "cross-site");
        assertThat(post("/do/ticked", form).status()).isEqualTo(403);
        headers.put("sec-fetch-site", "same-origin");
        headers.put("origin", "https://evil.example");
        assertThat(post("/do/ticked", form).status()).isEqualTo(403);
        headers.put("origin", "http://localhost:8090");
        assertThat(console.answer(request("POST", "/do/ticked", form)).status()).isEqualTo(403);
        assertThat(console.answer(request("POST", "/do/ticked", "token=" + "z".repeat(24) + "&" + form))
                        .status())
                .isEqualTo(403);

        assertThat(post("/do/ticked", form).status()).isEqualTo(303);
    }

    @Test
    void aPageOfAnotherSiteGetsNoStream() {
        for (String site : new String[] {"cross-site", "same-site"}) {
            headers.put("sec-fetch-site", site);
            assertThat(get("/live").status()).as(site).isEqualTo(403);
            assertThat(get("/live").stream()).as(site).isNull();
        }
        headers.put("sec-fetch-site", "same-origin");
        assertThat(get("/live").status()).isEqualTo(200);
    }

    @Test
    void noAnswerIsKeptGuessedFramedOrSharedWithOtherSites() {
        for (String address : new String[] {"/", "/timers", "/nothing", "/timer"}) {
            assertThat(get(address).headers())
                    .as(address)
                    .containsEntry("Cache-Control", "no-store")
                    .containsEntry("X-Content-Type-Options", "nosniff")
                    .containsEntry("X-Frame-Options", "DENY")
                    .containsEntry("Referrer-Policy", "same-origin")
                    .containsEntry("Cross-Origin-Opener-Policy", "same-origin")
                    .containsEntry("Cross-Origin-Resource-Policy", "same-origin");
        }
    }

    @Test
    void everyAnswerForbidsForeignScriptsAndFrames() {
        for (String address : new String[] {"/", "/timers", "/nothing", "/assets/console.js", "/timer"}) {
            ConsoleResponse response = get(address);
            assertThat(response.headers().get("Content-Security-Policy"))
                    .as(address)
                    .contains("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'")
                    .doesNotContain("unsafe");
            assertThat(body(response)).doesNotContain("style=", "onclick", "javascript:");
        }
        assertThat(get("/").headers().get("Set-Cookie")).contains("HttpOnly", "SameSite=Strict");
    }

    @Test
    void aFenceHidesTheTimersAndNumbersOfOtherTenants() {
        TimerKey hidden = TimerKey.of("secret", "hidden-1");
        dead(KEY, hidden);
        grant(Grant.operate("olga").fencedTo(Set.of("acme")));

        assertThat(page("/timers?state=dead")).contains(">a</a>").doesNotContain("hidden-1");
        assertThat(page("/timers?state=dead&tenant=secret")).doesNotContain("hidden-1");
        assertThat(page("/dead")).contains("/timers?state=dead").doesNotContain("secret");
        assertThat(get("/timer?tenant=secret&id=hidden-1").status()).isEqualTo(404);
        assertThat(page("/timers?queue=default&order=wake")).doesNotContain("hidden-1");
        assertThat(page("/queue?name=default")).doesNotContain("forecast");
        assertThat(post("/do/ticked", "action=revive&key=secret/hidden-1/").status())
                .isEqualTo(400);
        assertThat(post("/do/all", "action=revive&tenant=secret").status()).isEqualTo(400);
        assertThat(post("/do/queue", "action=pause&queue=default&reason=x").status())
                .isEqualTo(400);
        assertThat(state(hidden)).isEqualTo(TimerState.DEAD);
    }
}

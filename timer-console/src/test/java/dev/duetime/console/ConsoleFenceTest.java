package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rule that nobody gets anything of a tenant behind the fence, whatever is asked for. */
class ConsoleFenceTest extends ConsoleKit {
    private static final int VISIBLE = 5;
    private static final int HIDDEN = 37;
    private static final TimerKey SECRET = TimerKey.of("secret", "hidden-0");
    private static final String[] CONDITIONS = {
        "", "&tenant=secret", "&tenant=acme&tenant=secret", "&tenant=", "&prefix=hid", "&after=secret%2Fhidden-0%2F"
    };

    private Grant current = Grant.operate("root");

    @BeforeEach
    void seed() {
        console = Console.of(kit.scheduler()).access(request -> current).build(Runnable::run, Duration.ZERO);
        List<TimerKey> keys = new ArrayList<>();
        IntStream.range(0, VISIBLE).forEach(i -> keys.add(TimerKey.of("acme", "open-" + i)));
        IntStream.range(0, HIDDEN).forEach(i -> keys.add(TimerKey.of("secret", "hidden-" + i)));
        dead(keys.toArray(TimerKey[]::new));
        IntStream.range(0, HIDDEN).forEach(i -> schedule(TimerKey.of("secret", "hidden-later-" + i), "covert"));
    }

    private void assertHidden(String what, ConsoleResponse response) {
        String text = body(response) + response.headers();
        // What was asked for is repeated in links and fields.
        assertThat(text.replaceAll("secret%2Fhidden-0", ""))
                .as(what)
                .doesNotContain("hidden-", ">37<", ">42<", ">74<", ">79<", "37 timers", "42 timers");
    }

    @Test
    void noPageShowsNamesOrNumbersOfAHiddenTenant() {
        assertThat(post("/do/all", "action=revive&tenant=secret&state=dead&type=nothing")
                        .status())
                .isEqualTo(303);
        current = Grant.operate("olga").fencedTo(Set.of("acme"));
        for (String path : new String[] {
            "/",
            "/queue?name=default",
            "/queue?name=default&span=week",
            "/timers?state=dead",
            "/timers?state=scheduled",
            "/timers?queue=default&order=wake",
            "/timers?type=covert",
            "/dead?x=1",
            "/recurring?x=1",
            "/lists",
            "/list?name=secret",
            "/nodes",
            "/activity",
            "/run?id=0",
            run(1),
            "/timer?id=hidden-0"
        }) {
            for (String condition : CONDITIONS) {
                String address = path + (path.contains("?") ? condition : condition.replaceFirst("&", "?"));
                assertHidden(address, get(address));
            }
        }
    }

    @Test
    void whatNodesAndQueuesDeliverIsHiddenByAFence() {
        assertThat(page("/nodes")).contains("Delivered");
        assertThat(page("/")).contains("Delivered");
        current = Grant.operate("olga").fencedTo(Set.of("acme"));

        for (String address : new String[] {"/", "/nodes", "/queue?name=default"}) {
            assertThat(page(address)).as(address).doesNotContain("Delivered", "/s<", "asking the nodes");
        }
    }

    @Test
    void noActionCountsOrChangesTimersOfAHiddenTenant() {
        current = Grant.operate("olga").fencedTo(Set.of("acme"));
        for (String action : new String[] {"revive", "purge", "cancel", "deliver"}) {
            for (String condition : CONDITIONS) {
                String form = "action=" + action + "&typed=" + action + condition;
                assertHidden("ask " + form, post("/do/ask", form + "&state=dead"));
                assertHidden("all " + form, post("/do/all", form + "&state=dead"));
                assertHidden("ticked " + form, post("/do/ticked", form + "&key=secret/hidden-0/"));
                assertHidden("ticked " + form, post("/do/ticked", form + "&key=acme/open-0/&key=secret/hidden-0/"));
            }
        }
        assertThat(state(SECRET)).isEqualTo(TimerState.DEAD);
        assertThat(state(TimerKey.of("secret", "hidden-later-0"))).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aRunOverAHiddenTenantIsNeitherShownNorStopped() {
        post("/do/all", "action=revive&tenant=secret&state=dead&type=nothing");
        assertThat(get(run(1)).status()).isEqualTo(200);
        assertThat(page("/activity")).contains(run(1));

        current = Grant.operate("olga").fencedTo(Set.of("acme"));

        assertThat(page("/activity")).doesNotContain(run(1));
        assertThat(get(run(1)).status()).isEqualTo(400);
        assertThat(post("/do/stop", "run=" + runs.get(0)).status()).isEqualTo(400);
    }

    @Test
    void anEmptyFenceHidesEverything() {
        current = Grant.operate("olga").fencedTo(Set.of());

        for (String address : new String[] {"/", "/timers?state=dead", "/dead", "/recurring", "/nodes", "/activity"}) {
            assertThat(body(get(address))).as(address).doesNotContain("secret", "open-");
        }
        assertThat(post("/do/all", "action=revive&state=dead").status()).isEqualTo(400);
        assertThat(state(SECRET)).isEqualTo(TimerState.DEAD);
    }

    @Test
    void theTenantsOfTheFenceAreTheOnlyOnesThatAFilterOffers() {
        current = Grant.read("olga").fencedTo(Set.of("zeta", "acme", "b<i>ta"));

        assertThat(page("/timers?tenant=zeta&state=dead"))
                .contains("<select name=\"tenant\"><option value=\"acme\">acme</option>"
                        + "<option value=\"b&lt;i&gt;ta\">b&lt;i&gt;ta</option>"
                        + "<option value=\"zeta\" selected>zeta</option></select>")
                .doesNotContain("input name=\"tenant\"", "secret");

        current = Grant.read("root");
        assertThat(page("/timers")).contains("input name=\"tenant\"").doesNotContain("select name=\"tenant\"");
    }

    @Test
    void theStreamCarriesNothingButItsBeat() {
        current = Grant.operate("olga").fencedTo(Set.of("acme"));
        try (ConsoleResponse.Stream stream = get("/live").stream()) {
            assertThat(stream).isNotNull();
            byte[] part = stream == null ? null : stream.next();
            assertThat(part).asString().isEqualTo("event: tick\ndata: 1\n\n");
        }
    }
}

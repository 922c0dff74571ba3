package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import java.time.Duration;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that each page shows what is there, and no text as markup. */
class ConsolePagesTest extends ConsoleKit {
    private static final String HOSTILE = "<script>alert(1)</script>\" onload='x' &amp; \u202Egnp.exe";

    @Test
    void theOverviewSaysThatAllIsWellOrWhatIsNot() {
        kit.advance(Duration.ofSeconds(10));
        assertThat(page("/")).contains("All is well.");

        kit.scheduler().admin().by("anna").pause("mail", "the broker is being moved");

        assertThat(page("/"))
                .doesNotContain("All is well.")
                .contains("<b>mail</b>", "by <b>anna</b>", "<q>the broker is being moved</q>");
    }

    @Test
    void aQueueShowsItsShardsAndWhatFallsDue() {
        kit.advance(Duration.ofSeconds(10));
        IntStream.range(0, 7).forEach(i -> schedule(TimerKey.of("t" + i), "mail"));

        assertThat(page("/queue?name=default&span=day")).contains("7 timers due", "class=\"cell node1\"", "aria-label");
        assertThat(get("/queue?name=nothing").status()).isEqualTo(400);
    }

    @Test
    void timersAreFilteredByTheAddressAndPagedByKey() {
        IntStream.range(0, 60).forEach(i -> schedule(TimerKey.of("acme", "id-%02d".formatted(i)), "mail"));
        schedule(TimerKey.of("acme", "other"), "sms");

        String first = page("/timers?tenant=acme&prefix=id-");
        assertThat(first).contains(">id-00</a>", ">id-49</a>").doesNotContain(">id-50</a>", ">other</a>");
        String next = "after=acme%2Fid-49%2F";
        assertThat(first).contains(next);
        assertThat(page("/timers?tenant=acme&prefix=id-&" + next))
                .contains(">id-50</a>", ">id-59</a>")
                .doesNotContain(">id-49</a>", "Next page");
        assertThat(page("/timers?type=sms")).contains(">other</a>").doesNotContain(">id-00</a>");
        assertThat(page("/timers?state=nonsense")).contains("class=\"notice\"");
    }

    @Test
    void timersOfAQueueAreListedByTheTimeAtWhichTheyWake() {
        kit.scheduler().schedule(Timer.after("later", HOUR.multipliedBy(2)).build());
        kit.scheduler().schedule(Timer.after("sooner", HOUR).build());

        assertThat(page("/timers?queue=default&order=wake")).containsSubsequence(">sooner</a>", ">later</a>");
    }

    @Test
    void aTimerShowsItsLifeAndItsPayloadOnlyIfThatIsAllowed() {
        kit.scheduler().schedule(TimerKey.of("acme", "a"), HOUR, Map.of("amount", 17, "to", "anna"));
        String address = "/timer?tenant=acme&id=a&scope=";

        assertThat(page(address))
                .contains("Envelope id", "accepted", "in 1 h", "Hidden.")
                .doesNotContain("amount");

        console = Console.of(kit.scheduler()).showPayloads().build();
        assertThat(page(address)).contains("&quot;amount&quot;: 17");
    }

    @Test
    void deadTimersAreGroupedByTypeAndError() {
        dead(TimerKey.of("a"), TimerKey.of("b"));

        assertThat(page("/dead")).containsSubsequence(">2</a>", "invoice", "default", "Revive…");
    }

    @Test
    void nodesShowWhatTheyOwn() {
        kit.addNode(settings -> {});
        kit.advance(Duration.ofMinutes(1));

        assertThat(page("/nodes")).contains("node-0", "node-1", "this page comes from here", "alive");
    }

    @Test
    void noPageShowsATextAsMarkup() {
        TimerKey key = TimerKey.of("te<b>nant", HOSTILE);
        kit.scheduler()
                .schedule(Timer.after(key, HOUR)
                        .type(HOSTILE)
                        .correlationId(HOSTILE)
                        .header("h<b>", HOSTILE)
                        .build());
        console = Console.of(kit.scheduler()).showPayloads().build();
        String address = new dev.duetime.console.internal.page.Links("").timer(key);
        kit.scheduler().admin().by("<i>anna").pause("mail", HOSTILE);

        for (String page : new String[] {
            page(address),
            page("/timers?state=scheduled"),
            page("/"),
            page("/queue?name=mail"),
            page("/timers?queue=default&order=wake"),
            page("/?done=%3Cscript%3E"),
            page("/timers?type=%3Cscript%3Ealert(1)%22")
        }) {
            assertThat(page).doesNotContain("<script>", "onload='x'", "<b>nant", "<i>anna", "\u202E");
        }
        assertThat(page(address)).contains("&lt;script&gt;alert(1)", "\\u202egnp.exe", "&amp;amp;");
    }

    @Test
    void everyAddressBeginsWithTheBasePath() {
        console = Console.of(kit.scheduler()).basePath("/ops/timers").build();
        schedule(TimerKey.of("a"), "mail");

        for (String path :
                new String[] {"/", "/timers?state=scheduled", "/dead", "/nodes", "/activity", "/queue?name=mail"}) {
            for (String prefix : new String[] {"/ops/timers", ""}) {
                assertThat(page(prefix + path))
                        .contains("href=\"/ops/timers/assets/console.css\"")
                        .doesNotContainPattern("(href|src|action|hx-get)=\"/(?!ops/timers/)");
            }
        }
        assertThat(get("/ops/timers").headers().get("Set-Cookie")).contains("Path=/ops/timers;");
    }

    @Test
    void allAssetsTogetherAreSmall() {
        int sum = 0;
        for (String name : new String[] {"console.css", "console.js", "icon.svg", "htmx.min.js"}) {
            ConsoleResponse asset = get("/assets/" + name);
            assertThat(asset.status()).as(name).isEqualTo(200);
            sum += asset.body().length;
        }
        assertThat(sum).isLessThan(150_000);
        assertThat(get("/assets/../Console.class").status()).isEqualTo(404);
    }
}

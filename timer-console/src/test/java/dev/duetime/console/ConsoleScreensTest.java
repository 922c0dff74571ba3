package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.Occurrence.Outcome;
import dev.duetime.console.internal.page.Links;
import dev.duetime.recurrence.CalendarUnit;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of the screens of what is rare: recurring timers, to-do lists, what nodes deliver. */
class ConsoleScreensTest extends ConsoleKit {
    private static final String HOSTILE = "<script>alert(1)</script>\" onload='x' &amp; \u202Egnp.exe\\u0022);";
    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private void recurring(TimerKey key, Recurrence rule) {
        kit.scheduler().schedule(Timer.recurring(key, rule).type("report").build());
    }

    private void open(String list, String id, Instant overdueAt) {
        kit.store().todos().put(List.of(new ListItem(new ListKey(list, id), overdueAt)));
    }

    @Test
    void recurringTimersShowTheirRuleInWordsAndTheirNextTimesInTheirZone() {
        recurring(TimerKey.of("a"), Recurrence.every(Duration.ofMinutes(10)).catchUp(CatchUp.ALL));
        recurring(TimerKey.of("b"), Recurrence.each(CalendarUnit.WEEK, BERLIN).catchUp(CatchUp.NONE));
        recurring(TimerKey.of("c"), Recurrence.cron("30 7 * * 1-5", BERLIN));
        recurring(TimerKey.of("d"), Recurrence.cron("0 3 1 * *", BERLIN));
        schedule(TimerKey.of("once"), "mail");

        String page = page("/recurring");

        assertThat(page)
                .contains("every 10 min", "catches up with all missed times", "Tue 2030-01-01 00:10:00 UTC")
                .contains("at the beginning of each week, from Monday in Europe/Berlin", "skips missed times")
                .contains("Mon 2030-01-07 00:00:00", "Mon 2030-02-04 00:00:00")
                .contains("at 07:30, Monday to Friday in Europe/Berlin", "Tue 2030-01-01 07:30:00")
                .contains("cron 0 3 1 * * in Europe/Berlin")
                .doesNotContain(">once</a>", "Mon 2030-02-11 00:00:00");
        assertThat(page("/timer?tenant=default&id=c"))
                .contains("at 07:30, Monday to Friday", "Tue 2030-01-01 07:30:00");
    }

    @Test
    void aRecurringTimerShowsItsLastTimesIfAHistoryIsKept() {
        recurring(TimerKey.of("a"), Recurrence.every(HOUR));
        assertThat(page("/timer?tenant=default&id=a")).doesNotContain("Last times");
        kit.store()
                .admin()
                .putOccurrences(List.of(
                        new Occurrence(
                                TimerKey.of("a"),
                                kit.now(),
                                Outcome.DELIVERED,
                                kit.now().plusSeconds(7),
                                1,
                                null),
                        new Occurrence(TimerKey.of("a"), kit.now().minus(HOUR), Outcome.DEAD, kit.now(), 3, HOSTILE),
                        new Occurrence(TimerKey.of("b"), kit.now(), Outcome.EXPIRED, kit.now(), 9, null)));

        assertThat(page("/timer?tenant=default&id=a"))
                .containsSubsequence(
                        "Last times", "just now", ">delivered<", "7 s", "1 h ago", ">dead<", "&lt;script&gt;")
                .doesNotContain("<script>", "onload='x'", ">expired<");
    }

    @Test
    void recurringTimersAreShownInPages() {
        IntStream.range(0, 51)
                .forEach(i -> recurring(TimerKey.of("r%02d".formatted(i)), Recurrence.every(Duration.ofHours(1))));

        assertThat(page("/recurring"))
                .contains(">r00</a>", ">r49</a>", "Next page")
                .doesNotContain(">r50</a>");
        assertThat(page("/recurring?after=default/r49/")).contains(">r50</a>").doesNotContain(">r49</a>", "Next page");
    }

    @Test
    void toDoListsShowWhatIsOpenAndOverdue() {
        open("unpaid", "order-1", kit.now().minus(HOUR));
        open("unpaid", "order-2", kit.now().plus(HOUR));

        assertThat(page("/lists")).containsSubsequence(">unpaid</a>", "<td>2</td>", ">1</span>", "1 h ago");
        assertThat(page("/list?name=unpaid")).containsSubsequence("order-1", "1 h ago", "order-2", "in 1 h");
        assertThat(page("/list?name=other")).contains("No item is open here.");
    }

    @Test
    void theOverviewAsksTheNodesAndThenShowsWhatTheyDeliver() {
        kit.advance(Duration.ofMinutes(1));
        schedule(TimerKey.of("a"), "mail");
        assertThat(page("/")).contains("asking the nodes…");
        kit.advance(Duration.ofSeconds(6));

        assertThat(page("/")).contains("class=\"spark\"", "0.0/s").doesNotContain("asking the nodes…");
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 90)
                        .mapToObj(
                                i -> Timer.after("t" + i, Duration.ofSeconds(1)).build())
                        .toList());
        for (int i = 0; i < 4; i++) {
            kit.advance(Duration.ofSeconds(6));
            page("/");
        }

        assertThat(page("/")).contains("1.5/s", "1 ms, 1 ms");
        assertThat(page("/queue?name=default")).contains("Deliveries", "1.5/s");
        assertThat(page("/nodes")).contains("In delivery", "<td>0</td>", "1.5/s");
    }

    /** Of many shards some are counted. Whether any timer is due is known of all. */
    @Test
    void noQueueSaysThatAboutNoTimerIsDue() {
        TimerKit wide = TimerKit.builder()
                .configure(settings -> settings.shards(64)
                        .queue("mail", queue -> queue.shards(64).publisher(batch -> {})))
                .build();
        console = Console.of(wide.scheduler()).build(Runnable::run, Duration.ZERO);
        wide.scheduler().admin().pause("default");
        wide.scheduler().schedule(Timer.after("one", Duration.ofSeconds(1)).build());
        wide.advance(Duration.ofMinutes(2));

        assertThat(page("/")).doesNotContain("about 0").contains("<td>0</td>");
        assertThat(page("/queue?name=mail")).contains("<dt>Due now</dt><dd>0</dd>");
        assertThat(page("/queue?name=default"))
                .containsPattern("<dt>Due now</dt><dd>.*(a few|[1-9]).*, the oldest for");
    }

    /** The recurrence alone decides about its times. */
    @Test
    void aRecurringTimerThatIsNotRetriedOffersNoDelivery() {
        kit.scheduler()
                .schedule(Timer.recurring(TimerKey.of("again"), Recurrence.every(Duration.ofHours(5)))
                        .build());

        assertThat(page("/timer?tenant=default&id=again"))
                .contains("Cancel…")
                .doesNotContain("Deliver now", "Reschedule…");
    }

    @Test
    void anIdOfSpacesIsALinkThatCanBeSeen() {
        schedule(TimerKey.of("acme", " "), "mail");

        assertThat(page("/timers?tenant=acme")).contains(">\u201c \u201d</a>");
    }

    @Test
    void aTimerThatIsGoneLeavesTheNavigation() {
        ConsoleResponse gone = get("/timer?tenant=acme&id=gone");

        assertThat(gone.status()).isEqualTo(404);
        assertThat(body(gone)).contains("There is no such page or timer.", "<nav");
        assertThat(body(get("/queue?name=nothing"))).contains("there is no such queue", "<nav");
    }

    @Test
    void aTimerIsShownAsTheJavaThatSchedulesIt() {
        kit.scheduler()
                .schedule(Timer.at(TimerKey.of("acme", "a"), Instant.parse("2030-05-01T00:00:00Z"))
                        .type("invoice")
                        .header("region", "eu")
                        .expiresAt(Instant.parse("2030-06-01T00:00:00Z"))
                        .payload("secret")
                        .build());

        assertThat(page("/timer?tenant=acme&id=a"))
                .contains(
                        "Timer.at(TimerKey.of(&quot;acme&quot;, &quot;a&quot;), Instant.parse(&quot;2030-05-01T00:00:00Z")
                .contains(".type(&quot;invoice&quot;)", ".header(&quot;region&quot;, &quot;eu&quot;)", ".expiresAt(")
                .contains(".payload(…), 8 bytes")
                .doesNotContain("secret");
    }

    @Test
    void aTextOfAUserStaysInsideTheQuotesOfTheJava() {
        TimerKey key = TimerKey.of("acme", "\"); System.exit(1); // \\u0022 \u00e4");
        schedule(key, "mail");

        assertThat(page(new Links("").timer(key)))
                .contains("&quot;\\&quot;); System.exit(1); // \\\\u0022 \\u00e4&quot;");
    }

    @Test
    void noScreenShowsATextAsMarkup() {
        TimerKey key = TimerKey.of("te<b>nant", HOSTILE);
        recurring(key, Recurrence.every(HOUR));
        open("l<b>ist", HOSTILE, kit.now());
        console = Console.of(kit.scheduler()).showPayloads().build();

        for (String page : new String[] {
            page("/recurring"),
            page(new Links("").timer(key)),
            page("/lists"),
            page("/list?name=l%3Cb%3Eist"),
            page("/list?name=%3Cscript%3E"),
            page("/recurring?tenant=%3Cscript%3E")
        }) {
            assertThat(page).doesNotContain("<script>", "onload='x'", "<b>nant", "<b>ist", "\u202E", "style=");
        }
        assertThat(page("/list?name=l%3Cb%3Eist")).contains("&lt;script&gt;alert(1)", "\\u202egnp.exe");
    }

    @Test
    void aFenceHidesRecurringTimersOfOthersAndAllToDoLists() {
        recurring(TimerKey.of("acme", "mine"), Recurrence.every(HOUR));
        recurring(TimerKey.of("secret", "hidden-1"), Recurrence.every(HOUR));
        open("hidden-list", "hidden-item", kit.now());
        grant(Grant.operate("olga").fencedTo(Set.of("acme")));

        assertThat(page("/recurring")).contains(">mine</a>").doesNotContain("hidden-1", "secret");
        assertThat(page("/recurring?tenant=secret")).doesNotContain("hidden-1");
        assertThat(page("/recurring?after=secret/a/")).doesNotContain("hidden-1");
        assertThat(page("/lists")).doesNotContain("hidden-list");
        assertThat(page("/list?name=hidden-list")).doesNotContain("hidden-item");
        assertThat(page("/")).doesNotContain("class=\"spark\"", "Lateness", "asking the nodes", "order=wake");
        assertThat(page("/queue?name=default")).doesNotContain("Deliveries");
        assertThat(get("/timer?tenant=secret&id=hidden-1").status()).isEqualTo(404);
    }

    @Test
    void activityShowsSingleActionsToThoseWhoMaySeeTheirTenants() {
        schedule(TimerKey.of("acme", "<b>mine"), "mail");
        schedule(TimerKey.of("secret", "hidden-1"), "mail");
        post("/do/ticked", "action=deliver&key=acme/%3Cb%3Emine/");
        post("/do/ticked", "action=deliver&key=acme/%3Cb%3Emine/&key=secret/hidden-1/");
        post("/do/ticked", "action=reschedule&to=2030-05-01&key=secret/hidden-1/");
        post("/do/queue", "action=pause&queue=mail&reason=why");

        assertThat(page("/activity"))
                .containsSubsequence(
                        ">pause<", "queue mail", ">reschedule<", "secret/hidden-1", "2 timers", ">deliver<")
                .contains("acme/&lt;b&gt;mine", "local")
                .doesNotContain("<b>mine");

        Console shared = Console.of(kit.scheduler())
                .access(request -> "olga".equals(request.header("x-user"))
                        ? Grant.operate("olga").fencedTo(Set.of("acme"))
                        : Grant.operate("local"))
                .build(Runnable::run, Duration.ZERO);
        console = shared;
        post("/do/ticked", "action=cancel&typed=cancel&key=secret/hidden-1/");
        post("/do/queue", "action=resume&queue=mail");
        headers.put("x-user", "olga");
        post("/do/ticked", "action=cancel&typed=cancel&key=acme/%3Cb%3Emine/");

        assertThat(page("/activity"))
                .contains("acme/&lt;b&gt;mine", ">cancel<")
                .doesNotContain("hidden-1", "queue mail", ">resume<");
    }

    @Test
    void activityShowsThePausesOfAllNodesAndNamesTheNodeOfItsOwnList() {
        kit.scheduler().admin().by("<b>anna").pause("mail", "moved <elsewhere>");

        assertThat(page("/activity"))
                .contains("Paused queues, from any node", "&lt;b&gt;anna", "moved &lt;elsewhere&gt;")
                .contains("in this console since its node <code>"
                        + kit.scheduler().admin().health().nodeId())
                .doesNotContain("<b>anna");

        grant(Grant.read("olga").fencedTo(Set.of("acme")));
        assertThat(page("/activity")).doesNotContain("anna", "elsewhere");
    }

    @Test
    void whatCannotBeReadInAnAddressIsRefused() {
        assertThat(get("/list?name=a&after=x&at=yesterday").status()).isEqualTo(400);
        assertThat(get("/recurring?after=nonsense").status()).isEqualTo(400);
        assertThat(get("/list").status()).isEqualTo(400);
    }
}

package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.admin.QueuePause;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rules of what operators do through the console. */
class ConsoleActionsTest extends ConsoleKit {
    private static final TimerKey A = TimerKey.of("acme", "a");
    private static final TimerKey B = TimerKey.of("acme", "b");

    @Test
    void tickedTimersAreRevived() {
        dead(A, B);

        ConsoleResponse response = post("/do/ticked", "action=revive&key=acme/a/&key=acme/b/");

        assertThat(response.status()).isEqualTo(303);
        assertThat(response.headers().get("Location")).contains("revive%3A+2+timers");
        assertThat(state(A)).isEqualTo(TimerState.SCHEDULED);
        assertThat(state(B)).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void oneTimerIsDeliveredNowAndOnlyThatOne() {
        schedule(TimerKey.of("acme", "a"), "mail");
        schedule(TimerKey.of("acme", "ab"), "mail");

        post("/do/ticked", "action=deliver&key=acme/a/");
        kit.runDue();

        assertThat(state(A)).isEqualTo(TimerState.REACHED);
        assertThat(state(TimerKey.of("acme", "ab"))).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aCancellationIsConfirmedByTyping() {
        schedule(A, "mail");
        schedule(TimerKey.of("acme", "ab"), "mail");
        String form = "action=cancel&key=acme/a/";

        assertThat(body(post("/do/ticked", form))).contains("Type <b>cancel</b>");
        assertThat(post("/do/ticked", form + "&typed=yes").status()).isEqualTo(400);
        assertThat(state(A)).isEqualTo(TimerState.SCHEDULED);

        assertThat(post("/do/ticked", form + "&typed=cancel").status()).isEqualTo(303);
        assertThat(state(A)).isEqualTo(TimerState.CANCELLED);
        assertThat(state(TimerKey.of("acme", "ab"))).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aTimerIsMovedToTheTimeThatTheOperatorChooses() {
        schedule(A, "mail");
        schedule(TimerKey.of("acme", "ab"), "mail");
        String form = "action=reschedule&key=acme/a/";

        assertThat(body(post("/do/ticked", form)))
                .contains("Reschedule 1 timer?", "name=\"to\"", "2030-01-01T01:00:00");
        assertThat(post("/do/ticked", form + "&to=tomorrow").status()).isEqualTo(400);
        assertThat(post("/do/ticked", form + "&to=2030-01-01T02:00").status()).isEqualTo(303);

        kit.advance(HOUR);
        assertThat(state(A)).isEqualTo(TimerState.SCHEDULED);
        assertThat(state(TimerKey.of("acme", "ab"))).isEqualTo(TimerState.REACHED);
        kit.advance(HOUR);
        assertThat(state(A)).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aTimerIsNotMovedBeyondItsDeadlineAndTheOthersAre() {
        schedule(A, "mail");
        kit.scheduler().schedule(Timer.after(B, HOUR).validFor(HOUR).build());
        String to = "action=reschedule&to=2031-01-01&key=acme/b/";

        assertThat(body(post("/do/ticked", to))).contains("dueAt must not be after the deadline of the timer");
        assertThat(post("/do/ticked", to + "&key=acme/a/").headers().get("Location"))
                .contains("reschedule%3A+1+timer+of+2");

        kit.advance(HOUR);
        assertThat(state(A)).isEqualTo(TimerState.SCHEDULED);
        assertThat(state(B)).isEqualTo(TimerState.REACHED);
    }

    @Test
    void allThatMatchAreMovedAfterTheirNumberWasShown() {
        schedule(A, "mail");
        schedule(B, "mail");
        schedule(TimerKey.of("acme", "other"), "sms");

        assertThat(body(post("/do/ask", "action=reschedule&state=scheduled&type=mail")))
                .contains("Reschedule 2 timers?", "name=\"to\"");
        assertThat(post("/do/all", "action=reschedule&state=scheduled&type=mail")
                        .status())
                .isEqualTo(400);
        post("/do/all", "action=reschedule&state=scheduled&type=mail&to=2030-01-01T02:00");

        assertThat(page(run(1))).contains("Reschedule: done", "2 of 2 timers", "To 2030-01-01 02:00:00 UTC");
        kit.advance(HOUR);
        assertThat(state(A)).isEqualTo(TimerState.SCHEDULED);
        assertThat(state(TimerKey.of("acme", "other"))).isEqualTo(TimerState.REACHED);
    }

    @Test
    void anActionOnAllSaysHowManyBeforeItBegins() {
        dead(A, B);

        String question = body(post("/do/ask", "action=revive&state=dead&type=invoice"));

        assertThat(question).contains("Revive 2 timers?", "<b>invoice</b>");
        assertThat(state(A)).isEqualTo(TimerState.DEAD);
    }

    @Test
    void aRunChangesAllThatMatchAndIsListed() {
        TimerKey[] keys = IntStream.range(0, 20)
                .mapToObj(i -> TimerKey.of("acme", "dead-" + i))
                .toArray(TimerKey[]::new);
        dead(keys);

        ConsoleResponse begun = post("/do/all", "action=revive&state=dead&type=invoice");

        assertThat(begun.headers().get("Location")).endsWith(run(1));
        for (TimerKey key : keys) {
            assertThat(state(key)).isEqualTo(TimerState.SCHEDULED);
        }
        assertThat(page(run(1))).contains("Revive: done", "20 of 20 timers");
        assertThat(page("/activity")).contains("Revive", "local", "done");
    }

    @Test
    void anOperationOnAllScheduledTimersNeedsAConditionBeforeItIsConfirmed() {
        schedule(A, "mail");

        assertThat(page("/timers?state=scheduled"))
                .contains("Another condition")
                .doesNotContain("all that match…");
        assertThat(page("/timers?state=scheduled&type=mail")).contains("Deliver all that match now…");
        for (String action : List.of("deliver", "reschedule", "cancel")) {
            for (String path : List.of("/do/ask", "/do/all")) {
                ConsoleResponse refused =
                        post(path, "action=" + action + "&state=scheduled&to=2030-01-02&typed=" + action);
                assertThat(refused.status()).as(path + " " + action).isEqualTo(400);
                assertThat(body(refused)).contains("name a tenant");
            }
        }
        assertThat(page("/activity")).doesNotContain("/run?id=");
        assertThat(state(A)).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aRunThatWaitsForItsTurnChangesNothingOnceItIsStopped() {
        dead(A, B);
        List<Runnable> waiting = new ArrayList<>();
        console = Console.of(kit.scheduler()).build(waiting::add, Duration.ZERO);
        post("/do/all", "action=revive&state=dead&type=invoice");
        post("/do/stop", "run=" + runs.get(0));

        waiting.forEach(Runnable::run);

        assertThat(state(A)).isEqualTo(TimerState.DEAD);
        assertThat(page(run(1))).contains("Revive: stopped", "0 of 2 timers");
    }

    /** A cluster serves pages from any node, and a node counts anew after its restart. */
    @Test
    void theAddressOfARunNamesNoRunOfAnotherConsole() {
        dead(A, B);
        List<Runnable> waiting = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            console = Console.of(kit.scheduler()).build(waiting::add, Duration.ZERO);
            post("/do/all", "action=revive&state=dead&type=invoice");
        }

        ConsoleResponse other = get(run(1));
        assertThat(other.status()).isEqualTo(400);
        assertThat(body(other)).contains("there is no such run in this console");
        assertThat(post("/do/stop", "run=" + runs.get(0)).status()).isEqualTo(400);
        waiting.get(1).run();
        assertThat(page(run(2))).contains("Revive: done", "2 of 2 timers");
    }

    /** A type may hold characters that cannot be seen, such as those that join a family of emoji. */
    @Test
    void theFormsOfAGroupKeepEachCharacterOfItsType() {
        String type = "\uD83D\uDC68\u200D\uD83D\uDC69\u200Dh\u00E0 \u202Egnp\u00AD";
        kit.publisher().failPartiallyOn(each -> each.type().equals(type));
        kit.scheduler().schedule(Timer.after("good", Duration.ofSeconds(1)).build());
        kit.scheduler()
                .schedule(Timer.after(A, Duration.ofSeconds(1)).type(type).build());
        kit.advance(Duration.ofSeconds(5));

        Matcher field = Pattern.compile("name=\"type\" value=\"([^\"]*)\"").matcher(page("/dead"));
        assertThat(field.find()).isTrue();
        String sent = Pattern.compile("&#x([0-9a-f]+);")
                .matcher(field.group(1))
                .replaceAll(each -> Character.toString(Integer.parseInt(each.group(1), 16)));
        assertThat(sent).isEqualTo(type);
        post("/do/all", "action=revive&state=dead&type=" + URLEncoder.encode(sent, StandardCharsets.UTF_8));
        assertThat(state(A)).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void tickedTimersLeadBackToTheirList() {
        dead(A, B);
        String list = page("/timers?state=dead&tenant=acme&type=invoice&after=acme%2F0%2F");
        assertThat(list)
                .contains("name=\"back\" value=\"list\"", "name=\"after\" value=\"acme/0/\"", "value=\"invoice\"");
        String fields = "&back=list&state=dead&tenant=acme&type=invoice&after=acme/0/";

        assertThat(post("/do/ticked", "action=revive&key=acme/a/" + fields)
                        .headers()
                        .get("Location"))
                .isEqualTo("/timers?state=dead&tenant=acme&type=invoice&after=acme%2F0%2F"
                        + "&done=revive%3A+1+timer+of+1");
        assertThat(body(post("/do/ticked", "action=cancel&key=acme/a/&key=acme/b/" + fields)))
                .contains("name=\"back\" value=\"list\"", "name=\"type\" value=\"invoice\"");
        assertThat(post("/do/ticked", "action=revive&key=acme/b/").headers().get("Location"))
                .startsWith("/timer?tenant=acme&id=b");
    }

    @Test
    void aClosedConsoleBeginsNoRunAndEndsThoseThatWait() {
        dead(A, B);
        List<Runnable> waiting = new ArrayList<>();
        console = Console.of(kit.scheduler()).build(waiting::add, Duration.ZERO);
        post("/do/all", "action=revive&state=dead&type=invoice");
        console.close();

        assertThat(post("/do/all", "action=revive&state=dead&type=invoice").status())
                .isEqualTo(400);
        waiting.forEach(Runnable::run);

        assertThat(waiting).hasSize(1);
        assertThat(state(A)).isEqualTo(TimerState.DEAD);
    }

    @Test
    void aPurgeOfAllNeedsTheWord() {
        dead(A);
        kit.advance(Duration.ofSeconds(1));
        assertThat(post("/do/all", "action=purge&state=dead").status()).isEqualTo(400);

        assertThat(post("/do/all", "action=purge&state=dead&typed=purge").status())
                .isEqualTo(303);

        assertThat(kit.store().find(A)).isEmpty();
    }

    @Test
    void aQueueIsPausedWithAReasonAndResumed() {
        post("/do/queue", "action=pause&queue=mail&reason=the+disk+is+full");

        QueuePause pause = kit.scheduler().admin().queues().get(1).pause();
        assertThat(pause).isNotNull();
        assertThat(pause.operator()).isEqualTo("local");
        assertThat(pause.reason()).isEqualTo("the disk is full");

        post("/do/queue", "action=resume&queue=mail");
        assertThat(kit.scheduler().admin().queues().get(1).pause()).isNull();
    }

    @Test
    void nonsenseIsRefusedAndChangesNothing() {
        schedule(A, "mail");

        for (String form :
                new String[] {"", "action=explode", "action=cancel", "action=cancel&key=x", "action=deliver&key=%00/a/"
                }) {
            assertThat(post("/do/ticked", form).status()).as(form).isEqualTo(400);
        }
        assertThat(post("/do/nothing", "").status()).isEqualTo(400);
        assertThat(post("/do/stop", "run=7").status()).isEqualTo(400);
        assertThat(state(A)).isEqualTo(TimerState.SCHEDULED);
    }
}

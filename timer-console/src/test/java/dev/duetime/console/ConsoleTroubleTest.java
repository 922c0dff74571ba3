package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that the overview says what is out, since when, and in which queue; and that pages survive an outage. */
class ConsoleTroubleTest extends ConsoleKit {
    private static final List<String> SCREENS = List.of(
            "/",
            "/queue?name=mail",
            "/timers",
            "/timers?queue=default&order=wake",
            "/timer?tenant=acme&id=a",
            "/dead",
            "/recurring",
            "/lists",
            "/list?name=unpaid",
            "/nodes",
            "/activity");

    private void show(TimerKit other) {
        console = Console.of(other.scheduler()).build(Runnable::run, Duration.ZERO);
    }

    @Test
    void theOverviewSaysThatNobodyDeliversAndWhatIsDueForLongest() {
        TimerKit idle = TimerKit.builder().notStarted().build();
        show(idle);
        idle.scheduler().schedule(Timer.after("a", Duration.ofSeconds(1)).build());
        idle.advance(Duration.ofSeconds(61));
        assertThat(page("/"))
                .contains("No node delivers queue <b>default</b>.")
                .doesNotContain("oldest timer", "well.");

        idle.advance(Duration.ofMinutes(4));

        assertThat(page("/")).contains("The oldest timer of queue <b>default</b> has been due for 5 min.");
        idle.scheduler().admin().pause("default", "on purpose");
        assertThat(page("/")).contains("<q>on purpose</q>").doesNotContain("The oldest timer of queue");
        console = Console.of(idle.scheduler())
                .access(request -> Grant.read("olga").fencedTo(Set.of("acme")))
                .build(Runnable::run, Duration.ZERO);
        assertThat(page("/")).doesNotContain("No node delivers", "due for");
    }

    @Test
    void theOverviewSaysHowManyShardsHaveNoNode() {
        TimerKit idle = TimerKit.builder().notStarted().build();
        show(idle);
        Instant until = idle.now().plus(HOUR);
        idle.store().leases().acquire("default", Set.of(0), "other", idle.now(), until);
        assertThat(page("/")).contains("No node delivers 3 shards of queue <b>default</b>.");

        idle.store().leases().acquire("default", Set.of(1, 2), "other", idle.now(), until);
        assertThat(page("/")).contains("No node delivers 1 shard of queue <b>default</b>.");

        idle.store().leases().acquire("default", Set.of(3), "other", idle.now(), until);
        assertThat(page("/")).contains("All is well.").doesNotContain("No node delivers");
    }

    @Test
    void aPageSaysThatTheDatabaseIsAwayAndComesBack() {
        schedule(TimerKey.of("acme", "a"), "mail");
        kit.node(0).storeDown();

        for (String screen : SCREENS) {
            ConsoleResponse away = get(screen);
            assertThat(away.status()).as(screen).isEqualTo(503);
            assertThat(body(away)).as(screen).contains("The database is away", "safe to load this page again");
        }
        kit.node(0).storeUp();

        for (String screen : SCREENS) {
            page(screen);
        }
    }

    @Test
    void theOverviewSaysSinceWhenTheDatabaseIsAway() {
        kit.advance(Duration.ofMinutes(1));
        kit.node(0).storeDown(call -> call == StoreCall.RENEW);
        kit.advance(Duration.ofMinutes(3));

        assertThat(page("/")).containsPattern("The database has failed to renew leases for [23] min");
    }

    @Test
    void aPageWithoutTheDatabaseSaysSinceWhenAndAsksAgain() {
        kit.advance(Duration.ofMinutes(1));
        kit.node(0).storeDown();
        kit.advance(Duration.ofMinutes(3));

        for (String screen : SCREENS) {
            assertThat(body(get(screen)))
                    .as(screen)
                    .containsPattern("The database has failed to renew leases for [23] min")
                    .contains("<nav", "hx-get=\"" + screen.replaceFirst("\\?.*", ""), "· live");
        }
    }

    /** A real store reads the time of the database again each minute. */
    @Test
    void pagesAndRunsEndAlsoWhileNobodyKnowsTheTimeOfTheDatabase() {
        TestClock clock = new TestClock();
        ScheduleStore intact = new InMemoryScheduleStore(clock);
        AtomicBoolean isAway = new AtomicBoolean();
        ShardLeases leases = with(ShardLeases.class, intact.leases(), Map.of("now", () -> {
            if (isAway.get()) {
                throw new StoreException("read clock", "", new IOException("away"));
            }
            return clock.now();
        }));
        List<Runnable> waiting = new ArrayList<>();
        try (Scheduler scheduler = Scheduler.builder()
                .store(with(ScheduleStore.class, intact, Map.of("leases", () -> leases)))
                .carrier(clock)
                .publisher(batch -> {})
                .build()) {
            console = Console.of(scheduler).build(waiting::add, Duration.ZERO);
            scheduler.schedule(Timer.after("a", HOUR).type("bulk").build());
            post("/do/all", "action=cancel&typed=cancel&state=scheduled&type=bulk");
            clock.advance(Duration.ofMinutes(2));
            isAway.set(true);

            waiting.get(0).run();

            ConsoleResponse away = get("/activity");
            assertThat(away.status()).isEqualTo(503);
            assertThat(body(away)).contains("The database is away", "<nav", "· live");
            isAway.set(false);
            assertThat(page(run(1))).contains("Cancel: ").doesNotContain("running", "Stop after this batch");
        }
    }

    /** A pool waits for seconds before it gives up. Meanwhile the node notices the outage. */
    @Test
    void anOutageThatBeginsWhileAPageWaitsIsNotInTheFuture() {
        AtomicBoolean waits = new AtomicBoolean(true);
        kit.node(0).storeDown(call -> {
            if (waits.getAndSet(false)) {
                kit.advance(Duration.ofMinutes(3));
            }
            return true;
        });

        assertThat(body(get("/")))
                .containsPattern("The database has failed to renew leases for [123] min")
                .doesNotContainPattern(" for -[0-9]");
    }

    @Test
    void anActionThatTheDatabaseEndsInTheMiddleIsNoted() {
        schedule(TimerKey.of("acme", "a"), "mail");
        schedule(TimerKey.of("acme", "b"), "mail");

        ConsoleResponse answer = failingAfterTheFirst();

        assertThat(answer.status()).isEqualTo(503);
        assertThat(body(answer)).contains("Perhaps some of it was done").doesNotContain("Nothing was changed");
        assertThat(page("/activity")).containsSubsequence("cancel", "<td>1</td>", "2 timers");
    }

    private ConsoleResponse failingAfterTheFirst() {
        int before = kit.node(0).calls(StoreCall.CANCEL);
        kit.node(0).storeDown(call -> call == StoreCall.CANCEL && kit.node(0).calls(StoreCall.CANCEL) > before + 1);
        try {
            return post("/do/ticked", "action=cancel&typed=cancel&key=acme/a/&key=acme/b/");
        } finally {
            kit.node(0).storeUp();
        }
    }

    @Test
    void aRunThatTheDatabaseEndsInTheMiddleSaysSoAndMayBeRepeated() {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 700)
                        .mapToObj(i -> Timer.after("t" + i, HOUR).type("bulk").build())
                        .toList());
        int before = kit.node(0).calls(StoreCall.CANCEL_MANY);
        kit.node(0)
                .storeDown(
                        call -> call == StoreCall.CANCEL_MANY && kit.node(0).calls(StoreCall.CANCEL_MANY) > before + 1);
        String form = "action=cancel&typed=cancel&state=scheduled&type=bulk";
        post("/do/all", form);
        kit.node(0).storeUp();

        assertThat(page(run(1)))
                .contains("Cancel: failed", "500 of 700 timers", "the batches before it stay, and it may be repeated");
        post("/do/all", form);

        assertThat(page(run(2))).contains("Cancel: done", "200 of 200 timers");
        assertThat(page("/activity")).containsSubsequence("done", "failed");
    }

    /** Each timer is counted by one of them. */
    @Test
    void twoOperatorsWithTheSameOperationChangeEachTimerOnce() {
        dead(TimerKey.of("acme", "a"), TimerKey.of("acme", "b"));
        List<Runnable> runs = new ArrayList<>();
        console = Console.of(kit.scheduler())
                .access(request -> Grant.operate(String.valueOf(request.header("x-user"))))
                .build(runs::add, Duration.ZERO);
        for (String user : List.of("anna", "bob")) {
            headers.put("x-user", user);
            post("/do/all", "action=revive&state=dead&type=invoice");
        }
        runs.forEach(Runnable::run);

        assertThat(page(run(1))).contains("Revive: done", "2 of 2 timers", "<b>anna</b>");
        assertThat(page(run(2))).contains("Revive: done", "0 of 2 timers", "<b>bob</b>");
    }

    @Test
    void anOpenPageOfSomebodyWhoLostTheRightsGetsNothingMore() {
        schedule(TimerKey.of("acme", "a"), "mail");
        List<Grant> grant = new ArrayList<>(List.of(Grant.operate("olga")));
        console = Console.of(kit.scheduler())
                .access(request -> grant.get(grant.size() - 1))
                .build(Runnable::run, Duration.ofDays(1));
        headers.put("hx-request", "true");
        assertThat(page("/timer?tenant=acme&id=a")).contains("<form");
        assertThat(page("/")).contains("Scheduled");

        grant.add(Grant.read("olga"));
        assertThat(page("/timer?tenant=acme&id=a")).doesNotContain("<form");
        grant.add(Grant.read("olga").fencedTo(Set.of("other")));
        assertThat(get("/timer?tenant=acme&id=a").status()).isEqualTo(404);
        assertThat(page("/")).doesNotContain("Scheduled");
        grant.add(Grant.none());
        for (String screen : SCREENS) {
            assertThat(get(screen).status()).as(screen).isEqualTo(403);
        }
        assertThat(get("/live").status()).isEqualTo(403);
    }
}

package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerSummary;
import dev.duetime.store.NewTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The rule that a find returns the timer of the key, and a query returns the timers that match all conditions, in order
 * of their keys.
 */
abstract class QueryContract extends ContractPart {

    QueryContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aTimerIsFoundInAnyState() {
        for (TimerState state : TERMINAL) {
            assertThat(given(timer(state.name()), state).state()).isEqualTo(state);
        }
        assertThat(given(timer("a")).state()).isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aTimerOfAnotherTenantOrIdIsNotFound() {
        given(timer(TimerKey.of(otherTenant, "a")));
        given(timer("b"));

        assertThat(store().find(key("a"))).isEmpty();
    }

    @Test
    void aQueryWithoutConditionsFindsTimersOfAllStatesQueuesAndTypes() {
        given(timer("a"));
        given(timer("b").queue(otherQueue).type("other"), TimerState.CANCELLED);
        given(timer("c").dueAt(NOW.minusSeconds(1)), TimerState.DEAD);

        assertThat(store().query(TimerQuery.all().allowScan().after(key("a")).limit(2)))
                .containsExactly(stored("b"), stored("c"));
    }

    @Test
    void timersAreInOrderOfTheirKeys() {
        List<String> ids = List.of("b", "B", "a", "10", "9", "ab", "a b", "\u00E9", "z", "Z", "_");
        store().schedule(ids.stream().map(id -> timer(id).build()).toList());
        given(timer(TimerKey.of(otherTenant, "a")));

        assertThat(store().query(TimerQuery.all().allowScan().tenantId(tenant)))
                .extracting(timer -> timer.key().timerId())
                .containsExactlyElementsOf(ids.stream().sorted().toList());
    }

    @Test
    void tenantsComeBeforeIdsInTheOrder() {
        given(timer(TimerKey.of(tenant + "b", "1")));
        given(timer(TimerKey.of(tenant + "a", "2")));
        given(timer(TimerKey.of(tenant + "a", "1")));

        assertThat(store().query(TimerQuery.all().allowScan().queue(queue)))
                .extracting(StoredTimer::key)
                .containsExactly(
                        TimerKey.of(tenant + "a", "1"), TimerKey.of(tenant + "a", "2"), TimerKey.of(tenant + "b", "1"));
    }

    @Test
    void aStateFindsOnlyTimersInIt() {
        given(timer("a"));
        TERMINAL.forEach(state -> given(timer(state.name()), state));

        TERMINAL.forEach(
                state -> finds(TimerQuery.all().allowScan().tenantId(tenant).state(state), state.name()));
        finds(TimerQuery.all().allowScan().tenantId(tenant).state(TimerState.SCHEDULED), "a");
    }

    @Test
    void aQueueFindsOnlyItsTimers() {
        given(timer("a"));
        given(timer("b").queue(otherQueue));
        given(timer("c"), TimerState.REACHED);

        finds(TimerQuery.all().allowScan().queue(queue), "a", "c");
        finds(TimerQuery.all().allowScan().queue(otherQueue), "b");
        finds(TimerQuery.all().allowScan().queue(unique("q")));
    }

    @Test
    void aTenantFindsOnlyItsTimers() {
        given(timer("a"));
        given(timer(TimerKey.of(otherTenant, "b")));
        given(timer(TimerKey.of(tenant + "x", "c")));

        finds(TimerQuery.all().allowScan().tenantId(tenant), "a");
        finds(TimerQuery.all().allowScan().tenantId(otherTenant), "b");
        finds(TimerQuery.all().allowScan().tenantId(unique("t")));
    }

    @Test
    void aTypeFindsOnlyItsTimers() {
        given(timer("a").type("payment"));
        given(timer("b").type("Payment"));
        given(timer("c").type("payment "));
        given(timer("d").type("payment"));

        finds(TimerQuery.all().allowScan().tenantId(tenant).type("payment"), "a", "d");
        finds(TimerQuery.all().allowScan().tenantId(tenant).type("Payment"), "b");
        finds(TimerQuery.all().allowScan().tenantId(tenant).type("pay%"));
    }

    @Test
    void aTimeRangeFindsTimersFromItsBeginningToBeforeItsEnd() {
        given(timer("before").dueAt(NOW.minus(TICK)));
        given(timer("begin").dueAt(NOW));
        given(timer("within").dueAt(NOW.plus(TICK)));
        given(timer("end").dueAt(NOW.plus(TICK).plus(TICK)));

        finds(
                TimerQuery.all()
                        .allowScan()
                        .tenantId(tenant)
                        .due(NOW, NOW.plus(TICK).plus(TICK)),
                "begin",
                "within");
    }

    @Test
    void aTimeRangeMayHaveOneBoundOnly() {
        given(timer("a").dueAt(NOW.minus(TICK)));
        given(timer("b").dueAt(NOW));

        finds(new TimerQuery(null, null, tenant, null, NOW, null, null, 100, true, TimerQuery.Filters.NONE), "b");
        finds(new TimerQuery(null, null, tenant, null, null, NOW, null, 100, true, TimerQuery.Filters.NONE), "a");
    }

    @Test
    void aCorrelationIdFindsOnlyItsTimers() {
        given(timer("a").correlationId("order-1"));
        given(timer("b").correlationId("Order-1"));
        given(timer("c").correlationId("order-10"));
        given(timer("d"));

        finds(TimerQuery.all().allowScan().tenantId(tenant).correlationId("order-1"), "a");
        finds(
                TimerQuery.all()
                        .allowScan()
                        .queue(queue)
                        .state(TimerState.SCHEDULED)
                        .correlationId("order-10"),
                "c");
    }

    @Test
    void aParallelKeyFindsOnlyItsTimers() {
        given(timer("a").parallelKey("account"));
        given(timer("b").parallelKey("account "));
        given(timer("c").correlationId("account"));

        finds(TimerQuery.all().allowScan().tenantId(tenant).parallelKey("account"), "a");
    }

    @Test
    void anIdPrefixFindsTheTimersThatBeginWithIt() {
        List<String> ids = List.of("pay", "pay-1", "pay%", "pay_1", "paz", "Pay-1", "pa", "p\uD83D\uDE00", "p\uFFFD");
        store().schedule(ids.stream().map(id -> timer(id).build()).toList());
        given(timer(TimerKey.of(otherTenant, "pay-2")));

        finds(TimerQuery.all().allowScan().tenantId(tenant).idPrefix("pay"), "pay", "pay%", "pay-1", "pay_1");
        finds(TimerQuery.all().tenantId(tenant).idPrefix("pay_"), "pay_1");
        finds(TimerQuery.all().tenantId(tenant).idPrefix("p\uD83D\uDE00"), "p\uD83D\uDE00");
        finds(TimerQuery.all().allowScan().queue(queue).idPrefix("pay-"), "pay-1", "pay-2");
        finds(
                TimerQuery.all()
                        .tenantId(tenant)
                        .idPrefix("pay")
                        .after(key("pay%"))
                        .limit(1),
                "pay-1");
    }

    @Test
    void anErrorClassFindsTimersWhoseLastFailureIsOfIt() {
        dead("a", "java.io.IOException: no route");
        dead("b", "java.io.IOException");
        dead("c", "java.io.IOExceptions: no route");
        dead("d", "other: java.io.IOException: no route");
        given(timer("e"), TimerState.REACHED);

        TimerQuery dead = TimerQuery.all().tenantId(tenant).state(TimerState.DEAD);
        finds(dead.errorClass("java.io.IOException"), "a", "b");
        finds(dead.errorClass("java.io.IOExceptio_"));
        finds(TimerQuery.all().allowScan().queue(queue).errorClass("other"), "d");
    }

    private void dead(String id, String error) {
        store().settle(List.of(ended(given(timer(id)), TimerState.DEAD, failure(error))));
    }

    @Test
    void aRetryDoesNotChangeWhenATimerIsDue() {
        StoredTimer timer = given(timer("a"));
        store().settle(List.of(retried(timer, NOW.plusSeconds(30))));

        finds(TimerQuery.all().allowScan().tenantId(tenant).due(NOW, NOW.plus(TICK)), "a");
        finds(TimerQuery.all().allowScan().tenantId(tenant).due(NOW.plusSeconds(30), NOW.plusSeconds(31)));
    }

    @Test
    void allConditionsMustMatch() {
        given(timer("match").type("x"), TimerState.DEAD);
        given(timer("other state").type("x"), TimerState.EXPIRED);
        given(timer("other queue").type("x").queue(otherQueue), TimerState.DEAD);
        given(timer("other type").type("y"), TimerState.DEAD);
        given(timer("due later").type("x").dueAt(NOW.plus(TICK)), TimerState.DEAD);
        given(timer("due earlier").type("x").dueAt(NOW.minus(TICK)), TimerState.DEAD);
        given(timer("a").type("x"), TimerState.DEAD);
        given(timer(TimerKey.of(otherTenant, "match")).type("x"), TimerState.DEAD);
        TimerQuery query = TimerQuery.all()
                .allowScan()
                .state(TimerState.DEAD)
                .queue(queue)
                .tenantId(tenant)
                .type("x")
                .due(NOW, NOW.plus(TICK));

        finds(query, "a", "match");
        finds(query.after(key("a")), "match");
        finds(query.limit(1), "a");
    }

    @Test
    void aPageBeginsAfterTheGivenKeyWhetherItExistsOrNot() {
        Stream.of("a", "b", "c").forEach(id -> given(timer(id)));

        finds(TimerQuery.all().allowScan().tenantId(tenant).after(key("a")), "b", "c");
        finds(TimerQuery.all().allowScan().tenantId(tenant).after(key("aa")), "b", "c");
        finds(TimerQuery.all().allowScan().tenantId(tenant).after(key("c")));
    }

    @Test
    void pagesShowEachTimerOnce() {
        List<NewTimer> timers = new ArrayList<>();
        IntStream.range(0, 50).forEach(i -> timers.add(timer("id " + i).build()));
        IntStream.range(0, 50)
                .forEach(i ->
                        timers.add(timer(TimerKey.of(otherTenant, "id " + i)).build()));
        // The order of UTF-8 and that of UTF-16 differ for these.
        Stream.of("\uD83D\uDE00", "\uD83D\uDE01", "\uFF41", "\uFFFD", "\uE000", "B", "b", "\u00E9", "e\u0301", "b ")
                .forEach(id -> timers.add(timer(id).build()));
        store().schedule(timers);
        given(timer("not mine").queue(otherQueue));

        for (int limit : new int[] {1, 7, 110, 111}) {
            assertThat(walk(TimerQuery.all().allowScan().queue(queue).limit(limit)))
                    .containsExactlyInAnyOrderElementsOf(
                            timers.stream().map(ContractPart::accepted).toList());
        }
    }

    private List<StoredTimer> walk(TimerQuery query) {
        List<StoredTimer> walked = new ArrayList<>();
        List<StoredTimer> page = store().query(query);
        while (!page.isEmpty() && walked.size() < 1_000) {
            assertThat(page).hasSizeLessThanOrEqualTo(query.limit());
            walked.addAll(page);
            page = store().query(query.after(page.get(page.size() - 1).key()));
        }
        return walked;
    }

    private void finds(TimerQuery query, String... ids) {
        List<StoredTimer> found = store().query(query);
        assertThat(found).extracting(timer -> timer.key().timerId()).containsExactly(ids);
        found.forEach(timer -> assertThat(timer).isEqualTo(stored(timer.key())));
        assertThat(store().admin().views().timers(query))
                .containsExactlyElementsOf(found.stream().map(TimerSummary::of).toList());
    }
}

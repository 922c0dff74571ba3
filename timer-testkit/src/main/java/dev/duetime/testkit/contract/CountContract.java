package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerCount;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The rule that a count returns how many timers match all given conditions except {@code after} and {@code limit}, by
 * queue and state.
 */
abstract class CountContract extends ContractPart {

    CountContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void nothingIsCountedWhereNothingMatches() {
        given(timer("a"));

        counts(TimerQuery.all().allowScan().tenantId(otherTenant));
        counts(TimerQuery.all().allowScan().queue(otherQueue));
        counts(TimerQuery.all().allowScan().queue(otherQueue).state(TimerState.SCHEDULED));
    }

    @Test
    void timersAreCountedByQueueAndState() {
        given(timer("a"));
        given(timer("b").shard(7));
        given(timer("c").queue(otherQueue));
        given(timer("d"), TimerState.DEAD);
        given(timer("e").queue(otherQueue), TimerState.CANCELLED);
        given(timer(TimerKey.of(otherTenant, "f")));

        counts(
                TimerQuery.all().allowScan().tenantId(tenant),
                new TimerCount(queue, TimerState.SCHEDULED, 2),
                new TimerCount(queue, TimerState.DEAD, 1),
                new TimerCount(otherQueue, TimerState.SCHEDULED, 1),
                new TimerCount(otherQueue, TimerState.CANCELLED, 1));
    }

    @Test
    void allQueuesAndTenantsAreCountedWithoutConditions() {
        given(timer("a"));
        given(timer(TimerKey.of(otherTenant, "b")), TimerState.REACHED);

        assertThat(store().admin().count(TimerQuery.all().allowScan()))
                .contains(new TimerCount(queue, TimerState.SCHEDULED, 1), new TimerCount(queue, TimerState.REACHED, 1));
        assertThat(store().admin().count(TimerQuery.all().allowScan().state(TimerState.SCHEDULED)))
                .contains(new TimerCount(queue, TimerState.SCHEDULED, 1))
                .allMatch(count -> count.state() == TimerState.SCHEDULED);
    }

    @Test
    void scheduledTimersOfAQueueAreCountedWithRetriesAndWithoutEndedOnes() {
        given(timer("a"));
        StoredTimer retried = given(timer("b"));
        store().settle(List.of(retried(retried, NOW.plusSeconds(9))));
        given(timer("c").queue(otherQueue));
        TERMINAL.forEach(state -> given(timer(state.name()), state));

        counts(
                TimerQuery.all().allowScan().state(TimerState.SCHEDULED).queue(queue),
                new TimerCount(queue, TimerState.SCHEDULED, 2));
    }

    @Test
    void allConditionsMustMatch() {
        given(timer("match").type("x"), TimerState.DEAD);
        given(timer("other state").type("x"), TimerState.EXPIRED);
        given(timer("other queue").type("x").queue(otherQueue), TimerState.DEAD);
        given(timer("other type").type("X"), TimerState.DEAD);
        given(timer("too early").type("x").dueAt(NOW.minus(TICK)), TimerState.DEAD);
        given(timer("too late").type("x").dueAt(NOW.plus(TICK)), TimerState.DEAD);
        given(timer(TimerKey.of(otherTenant, "other tenant")).type("x"), TimerState.DEAD);

        counts(
                TimerQuery.all()
                        .allowScan()
                        .state(TimerState.DEAD)
                        .queue(queue)
                        .tenantId(tenant)
                        .type("x")
                        .due(NOW, NOW.plus(TICK)),
                new TimerCount(queue, TimerState.DEAD, 1));
    }

    @Test
    void eachFilterIsCounted() {
        TimerQuery all = TimerQuery.all().allowScan().tenantId(tenant);
        store().settle(List.of(ended(given(timer("id-1").correlationId("c").parallelKey("p")), TimerState.DEAD)));
        given(timer("other"), TimerState.DEAD);
        store().settle(List.of(retried(given(timer("id-2").queue(otherQueue)), NOW.plusSeconds(9))));
        TimerCount one = new TimerCount(queue, TimerState.DEAD, 1);

        counts(all.correlationId("c"), one);
        counts(all.parallelKey("p"), one);
        counts(all.idPrefix("id-"), one, new TimerCount(otherQueue, TimerState.SCHEDULED, 1));
        counts(all.errorClass("unreachable"), new TimerCount(otherQueue, TimerState.SCHEDULED, 1));
        counts(
                TimerQuery.all()
                        .queue(otherQueue)
                        .state(TimerState.SCHEDULED)
                        .idPrefix("id-")
                        .errorClass("unreachable"),
                new TimerCount(otherQueue, TimerState.SCHEDULED, 1));
    }

    @Test
    void countingIgnoresLimitAndPage() {
        given(timer("a"));
        given(timer("b"));
        given(timer("c"), TimerState.DEAD);

        counts(
                TimerQuery.all().allowScan().tenantId(tenant).after(key("a")).limit(1),
                new TimerCount(queue, TimerState.SCHEDULED, 2),
                new TimerCount(queue, TimerState.DEAD, 1));
        counts(
                TimerQuery.all()
                        .allowScan()
                        .queue(queue)
                        .state(TimerState.SCHEDULED)
                        .after(key("a"))
                        .limit(1),
                new TimerCount(queue, TimerState.SCHEDULED, 2));
    }

    private void counts(TimerQuery query, TimerCount... expected) {
        assertThat(store().admin().count(query)).containsExactlyInAnyOrder(expected);
    }
}

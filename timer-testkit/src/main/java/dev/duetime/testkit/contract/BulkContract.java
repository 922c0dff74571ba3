package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.Settlement;
import dev.duetime.store.Settlement.Ended;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests of bulk changes. Versions are what a query finds, without the content; cancel ends, and delete deletes, those
 * whose state and generation still match.
 */
abstract class BulkContract extends ContractPart {

    BulkContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void versionsAreWhatAQueryFindsInItsOrder() {
        for (String id : List.of("b", "a", "\uD83D\uDE00", "\uFF41", "B")) {
            given(timer(id), TimerState.DEAD);
        }
        given(timer("scheduled"));
        given(timer("recurring").recurrence("every PT1H"));
        given(timer("other queue").queue(otherQueue), TimerState.DEAD);
        given(timer(TimerKey.of(otherTenant, "other tenant")), TimerState.DEAD);

        for (TimerQuery query : List.of(
                TimerQuery.all().allowScan().tenantId(tenant),
                TimerQuery.all().allowScan().tenantId(tenant).queue(queue).state(TimerState.DEAD),
                TimerQuery.all().allowScan().queue(queue).after(key("a")).limit(2),
                TimerQuery.all().allowScan().tenantId(tenant).type("none"),
                TimerQuery.all().allowScan().tenantId(tenant).due(NOW.plus(TICK), NOW.plusSeconds(1)))) {
            assertThat(versions(query, null))
                    .isEqualTo(store().query(query).stream()
                            .map(BulkContract::version)
                            .toList());
        }
    }

    @Test
    void versionsMatchEachFilter() {
        StoredTimer match = given(timer("id-1").correlationId("c").parallelKey("p"), TimerState.DEAD);
        given(timer("other"), TimerState.CANCELLED);
        StoredTimer waiting = given(timer("id-2"));
        TimerQuery all = TimerQuery.all().tenantId(tenant);

        assertThat(keys(all.correlationId("c"))).containsExactly(match.key());
        assertThat(keys(all.parallelKey("p"))).containsExactly(match.key());
        assertThat(keys(all.errorClass("gave up"))).containsExactly(match.key());
        assertThat(keys(all.idPrefix("id-"))).containsExactly(match.key(), waiting.key());
        assertThat(keys(all.idPrefix("id-").state(TimerState.SCHEDULED))).containsExactly(waiting.key());
        assertThat(keys(TimerQuery.all().queue(queue).idPrefix("id-"))).containsExactly(match.key(), waiting.key());
    }

    private List<TimerKey> keys(TimerQuery query) {
        return versions(query, null).stream().map(TimerVersion::key).toList();
    }

    @Test
    void aPageOfVersionsReturnsWhereTheNextPageContinues() {
        List.of("a", "b", "c").forEach(id -> given(timer(id), TimerState.DEAD));
        TimerQuery query =
                TimerQuery.all().allowScan().tenantId(tenant).queue(queue).limit(2);

        TimerVersion.Page first = store().admin().versions(query, null);
        TimerVersion.Page last = store().admin().versions(query.after(key("b")), null);

        assertThat(first.timers()).extracting(TimerVersion::key).containsExactly(key("a"), key("b"));
        assertThat(first.next()).isEqualTo(key("b"));
        assertThat(last.timers()).extracting(TimerVersion::key).containsExactly(key("c"));
        assertThat(last.next()).isNull();
    }

    @Test
    void onlyTimersThatEndedBeforeTheGivenTimeAreVersions() {
        given(timer("scheduled"));
        StoredTimer before = endedAt("before", NOW.minus(TICK), TimerState.DEAD);
        endedAt("at", NOW, TimerState.REACHED);
        StoredTimer alsoBefore = endedAt("early", NOW.minusSeconds(9), TimerState.EXPIRED);

        assertThat(versions(TimerQuery.all().allowScan().tenantId(tenant), NOW))
                .containsExactly(version(before), version(alsoBefore));
        assertThat(versions(TimerQuery.all().allowScan().tenantId(tenant).state(TimerState.DEAD), NOW))
                .containsExactly(version(before));
        assertThat(versions(TimerQuery.all().allowScan().tenantId(tenant), Instant.MIN))
                .isEmpty();
        assertThat(versions(TimerQuery.all().allowScan().tenantId(tenant), Instant.MAX))
                .hasSize(3);
    }

    @Test
    void scheduledTimersAreCancelled() {
        StoredTimer a = given(timer("a"));
        StoredTimer b = given(timer("b"));
        store().settle(List.of(retried(b, NOW.plusSeconds(9))));
        StoredTimer other = given(timer("c"));

        assertThat(cancel(NOW, a, b)).isEqualTo(2);

        assertThat(stored("a").state()).isEqualTo(TimerState.CANCELLED);
        assertThat(stored("a").settledAt()).isEqualTo(NOW);
        assertThat(stored("a").wakeAt()).isNull();
        assertThat(stored("b").attempt()).isEqualTo(1);
        assertThat(stored("b").failure()).isEqualTo(failure("unreachable"));
        assertThat(stored("c")).isEqualTo(other);
        assertThat(dueKeys(NOW.plusSeconds(99), 0)).containsExactly(key("c"));
    }

    @Test
    void aTimerThatChangedMeanwhileIsNotCancelled() {
        StoredTimer reached = given(timer("reached"));
        StoredTimer moved = given(timer("moved"));
        StoredTimer purged = given(timer("purged"));
        StoredTimer free = given(timer("x"));
        store().settle(List.of(ended(reached, TimerState.REACHED), deleted(purged)));
        StoredTimer newer = given(timer("moved").dueAt(NOW.plusSeconds(5)));
        StoredTimer ended = stored("reached");

        assertThat(cancel(NOW, reached, moved, purged, free)).isEqualTo(1);

        assertThat(stored("reached")).isEqualTo(ended);
        assertThat(stored("moved")).isEqualTo(newer);
        assertThat(store().find(purged.key())).isEmpty();
    }

    @Test
    void endedTimersAreDeletedAlsoDeadOnes() {
        TERMINAL.forEach(state -> {
            StoredTimer timer = given(timer(state.name()), state);
            assertThat(delete(timer)).isEqualTo(1);
            assertThat(store().find(timer.key())).isEmpty();
        });
    }

    @Test
    void aTimerThatIsScheduledOrOfAnotherGenerationIsNotDeleted() {
        StoredTimer scheduled = given(timer("scheduled"));
        StoredTimer reached = given(timer("rearmed"), TimerState.REACHED);
        StoredTimer rearmed = given(timer("rearmed").rearm(), TimerState.EXPIRED);
        StoredTimer other = given(timer("other"), TimerState.REACHED);

        assertThat(delete(scheduled, reached)).isZero();

        assertThat(stored("scheduled")).isEqualTo(scheduled);
        assertThat(stored("rearmed")).isEqualTo(rearmed);
        assertThat(stored("other")).isEqualTo(other);
    }

    @Test
    void nothingToCancelOrDeleteIsLegal() {
        assertThat(cancel(NOW)).isZero();
        assertThat(delete()).isZero();
    }

    @Test
    void cancellationsAndSettlementsThatRaceCountEachTimerOnce() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String prefix = "r" + round + "-";
            List<StoredTimer> timers = IntStream.range(0, 50)
                    .mapToObj(i -> timer(prefix + i).build())
                    .map(timer -> {
                        schedule(timer);
                        return accepted(timer);
                    })
                    .toList();
            List<TimerVersion> versions =
                    timers.stream().map(BulkContract::version).toList();
            List<Settlement> outcomes = new ArrayList<>();
            timers.forEach(timer -> outcomes.add(0, ended(timer, TimerState.REACHED)));
            Callable<Integer> cancel = () -> store().admin().cancel(versions, NOW);
            Callable<Integer> settle = () -> store().settle(outcomes);

            List<Integer> counts = Race.between(List.of(cancel, cancel, settle));

            assertThat(counts.stream().mapToInt(Integer::intValue).sum()).isEqualTo(timers.size());
        }
    }

    private StoredTimer endedAt(String timerId, Instant at, TimerState state) {
        StoredTimer timer = given(timer(timerId));
        store().settle(List.of(new Ended(timer.key(), timer.generation(), state, at, 1, failure("why"))));
        return stored(timerId);
    }

    private int cancel(Instant now, StoredTimer... timers) {
        return store().admin()
                .cancel(Stream.of(timers).map(BulkContract::version).toList(), now);
    }

    private int delete(StoredTimer... timers) {
        return store().admin()
                .delete(Stream.of(timers).map(BulkContract::version).toList());
    }

    private static TimerVersion version(StoredTimer timer) {
        return new TimerVersion(
                timer.key(), timer.generation(), timer.state(), timer.content().recurrence() != null);
    }
}

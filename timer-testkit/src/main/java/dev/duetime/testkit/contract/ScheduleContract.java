package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Tests of what one schedule does with an existing row, and what it returns. */
abstract class ScheduleContract extends ContractPart {

    ScheduleContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aNewKeyIsCreated() {
        NewTimer timer = full("a").build();

        ScheduleResult result = schedule(timer);

        assertThat(result).isEqualTo(said(timer, ScheduleOutcome.CREATED));
        assertThat(stored("a")).isEqualTo(accepted(timer));
        assertThat(result.envelopeId()).isEqualTo(stored("a").envelopeId());
    }

    @Test
    void aScheduleChangesNoOtherTimer() {
        StoredTimer neighbour = given(full("b"));
        StoredTimer ofOtherTenant = given(timer(TimerKey.of(otherTenant, "a")));

        schedule(full("a"));
        schedule(timer("a").payload("other"));

        assertThat(stored("b")).isEqualTo(neighbour);
        assertThat(stored(ofOtherTenant.key())).isEqualTo(ofOtherTenant);
    }

    @Test
    void aPastDueTimeIsLegal() {
        NewTimer timer = timer("a").dueAt(NOW.minus(Duration.ofDays(9_000))).build();

        assertThat(schedule(timer)).isEqualTo(said(timer, ScheduleOutcome.CREATED));
        assertThat(dueKeys(NOW, 0)).containsExactly(key("a"));
    }

    @Test
    void aRepeatIsUnchangedAndWritesNothing() {
        StoredTimer before = given(full("a"));

        ScheduleResult result = schedule(full("a").registeredAt(NOW));

        assertThat(result).isEqualTo(said(before, ScheduleOutcome.UNCHANGED));
        assertThat(result.envelopeId()).isEqualTo(before.envelopeId());
        assertThat(stored("a")).isEqualTo(before);
    }

    @Test
    void aRepeatIsUnchangedEachTime() {
        StoredTimer before = given(timer("a"));

        for (int i = 0; i < 3; i++) {
            assertThat(schedule(timer("a"))).isEqualTo(said(before, ScheduleOutcome.UNCHANGED));
        }

        assertThat(stored("a")).isEqualTo(before);
    }

    @Test
    void aRepeatWhileARetryIsPendingIsUnchangedAndLeavesTheRetry() {
        StoredTimer scheduled = given(full("a"));
        store().settle(List.of(retried(scheduled, NOW.plusSeconds(30))));
        StoredTimer waiting = stored("a");

        ScheduleResult result = schedule(full("a").registeredAt(NOW));

        assertThat(result).isEqualTo(said(scheduled, ScheduleOutcome.UNCHANGED));
        assertThat(stored("a")).isEqualTo(waiting);
        assertThat(waiting.wakeAt()).isEqualTo(NOW.plusSeconds(30));
    }

    @Test
    void aRepeatWithOtherTraceHeadersIsUnchangedAndKeepsTheStoredOnes() {
        List<Map<String, String>> contexts = List.of(
                Map.of(),
                Map.of("traceparent", "00-1-1-01"),
                Map.of("traceparent", "00-2-2-01", "tracestate", "a=\"1\",}"),
                Map.of("Traceparent", "00-3-3-01", "baggage", "user=7"));
        for (Map<String, String> own : List.of(Map.<String, String>of(), Map.of("a", "}", "z\n,", "\"{}\n"))) {
            for (Map<String, String> standing : contexts) {
                String id = "of %s and %s".formatted(own.size(), contexts.indexOf(standing));
                StoredTimer before = given(full(id).headers(both(own, standing)));
                assertThat(before.content().headers()).as(id).isEqualTo(both(own, standing));

                for (Map<String, String> given : contexts) {
                    assertThat(schedule(full(id).headers(both(own, given))))
                            .as("%s repeated with %s", id, given)
                            .isEqualTo(said(before, ScheduleOutcome.UNCHANGED));
                }
                assertThat(stored(id)).isEqualTo(before);
            }
        }
    }

    @Test
    void aRescheduleStoresItsTraceHeadersWhichHideNoOtherChange() {
        Map<String, String> trace = Map.of("traceparent", "00-1-1-01");
        Map<String, String> otherTrace = Map.of("traceparent", "00-2-2-01");
        given(full("a").headers(both(Map.of("h", "1"), trace)));
        given(full("b").headers(trace));
        given(full("c").headers(both(Map.of("h", "1"), trace)));

        for (NewTimer changed : List.of(
                full("a").headers(both(Map.of("h", "2"), otherTrace)).build(),
                full("b").headers(both(Map.of("h", "1"), trace)).build(),
                full("c").headers(trace).build())) {
            assertThat(schedule(changed)).isEqualTo(said(changed, ScheduleOutcome.RESCHEDULED));
            assertThat(stored(changed.key())).isEqualTo(accepted(changed));
        }
    }

    private static Map<String, String> both(Map<String, String> some, Map<String, String> others) {
        Map<String, String> all = new LinkedHashMap<>(some);
        all.putAll(others);
        return all;
    }

    @Test
    void aRepeatWithRearmOfAScheduledKeyIsUnchanged() {
        StoredTimer before = given(full("a"));

        assertThat(schedule(full("a").rearm())).isEqualTo(said(before, ScheduleOutcome.UNCHANGED));
        assertThat(stored("a")).isEqualTo(before);
    }

    @Test
    void anyOtherContentReschedules() {
        eachReschedules("changed", changes(), this::full, id -> full(id).registeredAt(NOW));
    }

    @Test
    void addedContentReschedules() {
        eachReschedules("appeared", changes(), this::timer, this::timer);
    }

    @Test
    void removedContentReschedules() {
        Map<String, UnaryOperator<TimerDraft>> gone = new LinkedHashMap<>();
        gone.put("expiresAt", draft -> draft.expiresAt(null));
        gone.put("payload", draft -> draft.payload(""));
        gone.put("headers", draft -> draft.headers(Map.of()));
        gone.put("correlationId", draft -> draft.correlationId(null));
        gone.put("parallelKey", draft -> draft.parallelKey(null));
        gone.put("correlationKey", draft -> draft.correlationKey(null));
        eachReschedules("gone", gone, this::full, this::full);
    }

    /** Schedules the first draft of a key, and then the second one with each of the changes. */
    private void eachReschedules(
            String prefix,
            Map<String, UnaryOperator<TimerDraft>> changes,
            Function<String, TimerDraft> first,
            Function<String, TimerDraft> second) {
        changes.forEach((what, change) -> {
            String id = prefix + " " + what;
            given(first.apply(id));
            NewTimer changed = change.apply(second.apply(id)).build();

            assertThat(schedule(changed)).as(what).isEqualTo(said(changed, ScheduleOutcome.RESCHEDULED));
            assertThat(stored(id)).as(what).isEqualTo(accepted(changed));
        });
    }

    @Test
    void aRescheduleStartsAfresh() {
        StoredTimer scheduled = given(full("a"));
        store().settle(List.of(retried(scheduled, NOW.plusSeconds(30))));
        NewTimer other = full("a").dueAt(NOW.plusSeconds(5)).registeredAt(NOW).build();

        schedule(other);

        assertThat(stored("a")).isEqualTo(accepted(other));
    }

    @Test
    void aRescheduleMovesTheTimerToItsNewQueueShardAndTime() {
        given(timer("a").shard(1));

        schedule(timer("a").queue(otherQueue).shard(2).dueAt(NOW.plus(TICK)));

        assertThat(dueKeys(NOW.plusSeconds(60), 0, 1, 2)).isEmpty();
        assertThat(store().nextDue(otherQueue, List.of(0, 1), Instant.MIN).wakeAt())
                .isNull();
        assertThat(store().nextDue(otherQueue, List.of(2), Instant.MIN).wakeAt())
                .isEqualTo(NOW.plus(TICK));
    }

    @Test
    void theGenerationMayBeLowerThanTheOneBefore() {
        schedule(timer("a").build(5_000));
        NewTimer lower = timer("a").payload("other").build(7);

        assertThat(schedule(lower)).isEqualTo(said(lower, ScheduleOutcome.RESCHEDULED));
        assertThat(stored("a")).isEqualTo(accepted(lower));
    }

    private Map<String, UnaryOperator<TimerDraft>> changes() {
        Instant oneTickLater = NOW.plus(TICK);
        Map<String, UnaryOperator<TimerDraft>> changes = new LinkedHashMap<>();
        changes.put("queue", draft -> draft.queue(otherQueue));
        changes.put("dueAt", draft -> draft.dueAt(oneTickLater));
        changes.put("expiresAt", draft -> draft.expiresAt(NOW.plusSeconds(60).plus(TICK)));
        changes.put("type", draft -> draft.type("Payment-timeout"));
        changes.put("payload", draft -> draft.payload("{\"order\":18}"));
        changes.put("header value", draft -> draft.headers(Map.of("trace", "0af8", "empty", "")));
        changes.put("header name", draft -> draft.headers(Map.of("trace", "0af7", "Empty", "")));
        changes.put("more headers", draft -> draft.headers(Map.of("trace", "0af7", "empty", "", "more", "")));
        changes.put("fewer headers", draft -> draft.headers(Map.of("trace", "0af7")));
        changes.put("priority", draft -> draft.priority(-5));
        changes.put("correlationId", draft -> draft.correlationId("c-1 "));
        changes.put("parallelKey", draft -> draft.parallelKey("P-1"));
        changes.put("correlationKey", draft -> draft.correlationKey("k-2"));
        changes.put("recurrence", draft -> draft.recurrence("every PT2H"));
        return changes;
    }
}

package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tests of a schedule of many timers. The store writes all or none, as if one after the other. It returns the results
 * in the given order.
 */
abstract class ScheduleBatchContract extends ContractPart {
    private static final int MANY = 10_000;

    ScheduleBatchContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void noTimersAreLegalAndDoNothing() {
        assertThat(store().schedule(List.of())).isEmpty();
    }

    @Test
    void resultsAreInTheGivenOrder() {
        List<String> ids = List.of("m", "z", "a", "y", "b", "B", "10", "9");
        List<NewTimer> batch = ids.stream().map(id -> timer(id).build()).toList();

        List<ScheduleResult> results = store().schedule(batch);

        assertThat(results)
                .isEqualTo(batch.stream().map(ScheduleBatchContract::created).toList());
    }

    @Test
    void tenThousandTimersEachGetTheirOwnOutcome() {
        List<NewTimer> standing = IntStream.range(0, MANY)
                .filter(i -> i % 5 != 0)
                .mapToObj(i -> timer(id(i)).shard(i % 7).payload("first").build())
                .toList();
        store().schedule(standing);
        List<Settlement> outcomes = new ArrayList<>();
        for (NewTimer timer : standing) {
            int i = Integer.parseInt(timer.key().timerId());
            if (i % 5 == 3) {
                outcomes.add(ended(accepted(timer), i % 2 == 0 ? TimerState.REACHED : TimerState.EXPIRED));
            } else if (i % 5 == 4) {
                outcomes.add(ended(accepted(timer), TimerState.CANCELLED));
            }
        }
        assertThat(store().settle(outcomes)).isEqualTo(outcomes.size());
        Map<String, StoredTimer> before = rows();

        // 1,009 shares no factor with 10,000: all numbers, far from the order of the keys.
        List<NewTimer> batch = IntStream.range(0, MANY)
                .map(i -> i * 1_009 % MANY)
                .mapToObj(i -> timer(id(i)).shard(i % 7).payload(i % 5 == 1 ? "first" : "second"))
                .map(TimerDraft::build)
                .toList();
        List<ScheduleResult> results = store().schedule(batch);

        Map<String, StoredTimer> after = rows();
        assertThat(results).hasSize(MANY);
        for (int n = 0; n < MANY; n++) {
            NewTimer timer = batch.get(n);
            String id = timer.key().timerId();
            ScheduleOutcome expected = expected(Integer.parseInt(id));
            boolean written = expected == ScheduleOutcome.CREATED || expected == ScheduleOutcome.RESCHEDULED;
            StoredTimer stands = written ? accepted(timer) : Objects.requireNonNull(before.get(id), id);
            assertThat(after.get(id)).isEqualTo(stands);
            assertThat(results.get(n)).isEqualTo(said(stands, expected));
        }
    }

    private static ScheduleOutcome expected(int i) {
        return switch (i % 5) {
            case 1 -> ScheduleOutcome.UNCHANGED;
            case 2 -> ScheduleOutcome.RESCHEDULED;
            case 3 -> ScheduleOutcome.IGNORED;
            default -> ScheduleOutcome.CREATED;
        };
    }

    private Map<String, StoredTimer> rows() {
        Map<String, StoredTimer> rows = new HashMap<>();
        for (StoredTimer timer :
                store().query(TimerQuery.all().allowScan().tenantId(tenant).limit(MANY))) {
            rows.put(timer.key().timerId(), timer);
        }
        return rows;
    }

    @Test
    void aKeyGivenSeveralTimesIsScheduledOneAfterTheOtherAndTheLastWins() {
        NewTimer first = timer("a").payload("1").build();
        NewTimer between = timer("b").build();
        NewTimer second = timer("a").payload("2").build();
        NewTimer repeat = timer("a").payload("2").build();
        NewTimer last = timer("a").payload("1").build();

        List<ScheduleResult> results = store().schedule(List.of(first, between, second, repeat, last));

        assertThat(results)
                .containsExactly(
                        created(first),
                        created(between),
                        said(accepted(second), ScheduleOutcome.RESCHEDULED),
                        said(accepted(second), ScheduleOutcome.UNCHANGED),
                        said(accepted(last), ScheduleOutcome.RESCHEDULED));
        assertThat(stored("a")).isEqualTo(accepted(last));
        assertThat(stored("b")).isEqualTo(accepted(between));
    }

    @Test
    void aRepeatWithinABatchIsUnchangedAndNamesTheFirst() {
        NewTimer first = timer("a").build();
        NewTimer repeat = timer("a").registeredAt(NOW).build();

        List<ScheduleResult> results = store().schedule(List.of(first, repeat));

        assertThat(results).containsExactly(created(first), said(accepted(first), ScheduleOutcome.UNCHANGED));
        assertThat(stored("a")).isEqualTo(accepted(first));
    }

    @Test
    void anEndedKeyGivenSeveralTimesIsIgnoredUntilItIsRearmed() {
        StoredTimer reached = given(timer("a"), TimerState.REACHED);
        NewTimer refused = timer("a").build();
        NewTimer rearmed = timer("a").rearm().build();
        NewTimer repeat = timer("a").build();
        NewTimer other = timer("a").payload("other").build();

        List<ScheduleResult> results = store().schedule(List.of(refused, rearmed, repeat, other));

        assertThat(results)
                .containsExactly(
                        said(reached, ScheduleOutcome.IGNORED),
                        created(rearmed),
                        said(accepted(rearmed), ScheduleOutcome.UNCHANGED),
                        said(accepted(other), ScheduleOutcome.RESCHEDULED));
        assertThat(stored("a")).isEqualTo(accepted(other));
    }

    @Test
    void theLastOfAHundredSchedulesOfAKeyWins() {
        List<NewTimer> batch = IntStream.range(0, 100)
                .mapToObj(i -> timer("a").payload("p" + i).build())
                .toList();

        List<ScheduleResult> results = store().schedule(batch);

        assertThat(results).extracting(ScheduleResult::outcome).startsWith(ScheduleOutcome.CREATED);
        assertThat(results.subList(1, 100))
                .extracting(ScheduleResult::outcome)
                .containsOnly(ScheduleOutcome.RESCHEDULED);
        assertThat(stored("a")).isEqualTo(accepted(batch.get(99)));
    }

    @Test
    void aBatchThatFailsWritesNothing() {
        StoredTimer before = given(timer("a"));
        List<NewTimer> batch = new ArrayList<>();
        batch.add(timer("a").payload("other").build());
        IntStream.range(0, 100).forEach(i -> batch.add(timer("new " + i).build()));
        batch.addAll(Collections.singletonList(null));

        assertThatThrownBy(() -> store().schedule(batch)).isInstanceOf(RuntimeException.class);

        assertThat(store().query(TimerQuery.all().allowScan().tenantId(tenant))).containsExactly(before);
    }

    @Test
    @SuppressWarnings("ThreadPriorityCheck")
    void aBatchBecomesVisibleAtOnce() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String ofRound = unique("q");
            List<NewTimer> batch = IntStream.range(0, 300)
                    .mapToObj(i -> timer(ofRound + i % 299).queue(ofRound).payload("p" + i))
                    .map(TimerDraft::build)
                    .toList();
            CountDownLatch readerReads = new CountDownLatch(1);
            AtomicBoolean written = new AtomicBoolean();
            Callable<Set<Integer>> writer = () -> {
                readerReads.await();
                try {
                    store().schedule(batch);
                } finally {
                    written.set(true);
                }
                return Set.of();
            };
            Callable<Set<Integer>> reader = () -> {
                Set<Integer> seen = new HashSet<>();
                boolean last;
                do {
                    last = written.get();
                    seen.add(store().query(
                                    TimerQuery.all().allowScan().queue(ofRound).limit(MANY))
                            .size());
                    readerReads.countDown();
                    // A store with an unfair lock would let the writer wait for many reads.
                    Thread.yield();
                } while (!last);
                return seen;
            };

            Set<Integer> seen = Race.between(List.of(writer, reader)).get(1);

            assertThat(seen).containsExactlyInAnyOrder(0, 299);
        }
    }

    @Test
    void aBatchMayMixQueuesShardsTenantsAndShapes() {
        List<NewTimer> batch = new ArrayList<>(List.of(
                timer("a").build(),
                timer("b").queue(otherQueue).shard(5).payload("x").build(),
                timer("c")
                        .expiresAt(NOW)
                        .headers(Map.of("h", "v"))
                        .correlationId("c")
                        .build(),
                timer("d").parallelKey("p").recurrence("PT1H").priority(1).build(),
                timer("e").correlationKey("k").payload(new byte[100_000]).build(),
                timer(TimerKey.of(otherTenant, "a")).build()));
        Collections.reverse(batch);

        store().schedule(batch);

        batch.forEach(timer -> assertThat(stored(timer.key())).isEqualTo(accepted(timer)));
    }

    private static String id(int i) {
        return Integer.toString(i);
    }

    private static ScheduleResult created(NewTimer timer) {
        return said(accepted(timer), ScheduleOutcome.CREATED);
    }
}

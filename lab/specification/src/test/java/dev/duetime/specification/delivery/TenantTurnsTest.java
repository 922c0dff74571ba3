package dev.duetime.specification.delivery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of a backlog of one tenant that holds up no other tenant. */
class TenantTurnsTest {
    private static final int BATCH = 10;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration A_BATCH = Duration.ofMillis(100);

    private final Map<TimerKey, Instant> publishedAt = new HashMap<>();
    private final List<List<Envelope>> batches = new ArrayList<>();
    private Duration batch = A_BATCH;
    private TimerKit kit = kit(1);

    private TimerKit kit(int concurrency) {
        return TimerKit.builder()
                .configure(scheduler -> scheduler
                        .batchSize(BATCH)
                        .shards(4)
                        .concurrency(concurrency)
                        .publisher(this::publish))
                .build();
    }

    private void publish(List<Envelope> envelopes) {
        batches.add(envelopes);
        kit.clock().linger(batch);
        envelopes.forEach(
                each -> assertThat(publishedAt.put(each.key(), kit.now())).isNull());
    }

    private Timer.Builder timer(String tenant, int number, Duration delay) {
        return Timer.after(TimerKey.of(tenant, "t" + number), delay);
    }

    /** Schedules timers of one tenant, due one after the other within a second. */
    private void backlog(TimerKit kit, String tenant, int count) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> timer(tenant, i, SECOND.plusNanos(1_000_000_000L * i / count))
                                .build())
                        .toList());
    }

    private Duration latenessOf(String tenant) {
        return kit.store().query(TimerQuery.all().allowScan().tenantId(tenant).limit(10_000)).stream()
                .map(each -> Duration.between(
                        each.dueAt(), publishedAt.getOrDefault(each.key(), Instant.parse("9999-01-01T00:00:00Z"))))
                .max(Duration::compareTo)
                .orElseThrow();
    }

    /** While one tenant is known, the search rests for 100 ms, so the first timer of another one may wait longer. */
    @ParameterizedTest
    @ValueSource(ints = {5, 10, 20, 40, 100})
    void aTimerThatBecomesDueBehindABacklogWaitsNoLongerThanABatch(int millis) {
        batch = Duration.ofMillis(millis);
        backlog(kit, "big", 5_000);
        kit.scheduler().schedule(timer("first", 0, SECOND.plus(batch)).build());
        for (int i = 0; i < 30; i++) {
            Duration delay = SECOND.plusMillis(150).plus(batch.multipliedBy(10 + 3L * i / 2));
            kit.scheduler().schedule(timer("small", i, delay).build());
        }
        kit.advance(Duration.ofSeconds(60));

        Duration rest = Duration.ofMillis(10);
        assertThat(latenessOf("small"))
                .isLessThanOrEqualTo(batch.multipliedBy(2).plus(rest));
        assertThat(latenessOf("big")).isGreaterThan(batch.multipliedBy(80));
        assertThat(publishedAt).hasSize(5_031);
    }

    @Test
    void timersThatLieInTheMiddleOfABacklogAreFoundSoon() {
        backlog(kit, "big", 2_000);
        for (int i = 0; i < 5; i++) {
            kit.scheduler()
                    .schedule(
                            timer("small", i, SECOND.plusMillis(500 + 10L * i)).build());
        }
        kit.advance(Duration.ofSeconds(40));

        assertThat(latenessOf("small")).isLessThanOrEqualTo(SECOND);
    }

    @Test
    void aBacklogOfTwoTenantsDoesNotHideAThirdOne() {
        backlog(kit, "big", 1_000);
        backlog(kit, "large", 1_000);
        for (int i = 0; i < 20; i++) {
            kit.scheduler()
                    .schedule(timer("small", i, SECOND.multipliedBy(3).plusMillis(150L * i))
                            .build());
        }
        kit.advance(Duration.ofSeconds(40));

        assertThat(latenessOf("small")).isLessThanOrEqualTo(A_BATCH.multipliedBy(2));
        assertThat(publishedAt).hasSize(2_020);
    }

    @Test
    void aSecondBacklogBehindTheFirstGetsHalfOfEachBatch() {
        backlog(kit, "big", 1_000);
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 500)
                        .mapToObj(i -> timer("late", i, SECOND.multipliedBy(3)).build())
                        .toList());
        kit.advance(Duration.ofSeconds(60));

        List<List<Envelope>> mixed = batches.stream()
                .filter(batch ->
                        batch.stream().anyMatch(each -> each.key().tenantId().equals("late")))
                .limit(20)
                .toList();
        assertThat(mixed)
                .allSatisfy(batch -> assertThat(batch.stream()
                                .filter(each -> each.key().tenantId().equals("late")))
                        .hasSizeBetween(BATCH / 2 - 1, BATCH / 2 + 1));
        assertThat(publishedAt).hasSize(1_500);
    }

    @Test
    void higherPriorityComesFirstWhateverTheTenant() {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 5)
                        .mapToObj(i -> timer("urgent", i, SECOND).priority(1).build())
                        .toList());
        kit.scheduler()
                .scheduleAll(IntStream.range(0, 5)
                        .mapToObj(i -> timer("small", i, SECOND).build())
                        .toList());
        kit.advance(Duration.ofSeconds(5));

        assertThat(batches.get(0).stream().limit(5)).allMatch(each -> each.priority() == 1);
    }

    @Test
    void timersOfOneParallelKeyKeepTheirOrder() {
        List<Timer> timers = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            timers.add(timer(i % 3 == 0 ? "a" : "b", i, SECOND.plusMillis(i))
                    .parallelKey("k" + i % 5)
                    .build());
        }
        kit.scheduler().scheduleAll(timers);
        kit.advance(Duration.ofSeconds(30));

        for (int key = 0; key < 5; key++) {
            int mine = key;
            assertThat(batches.stream()
                            .flatMap(List::stream)
                            .map(each -> Integer.parseInt(each.key().timerId().substring(1)))
                            .filter(i -> i % 5 == mine))
                    .isSorted()
                    .hasSize(60);
        }
    }

    @Test
    void theSearchCostsOneTenantLittle() {
        int before = kit.node(0).calls(StoreCall.DUE);
        backlog(kit, "big", 2_000);
        kit.advance(Duration.ofSeconds(40));

        int reads = kit.node(0).calls(StoreCall.DUE) - before;
        assertThat(publishedAt).hasSize(2_000);
        assertThat(batches).hasSizeBetween(200, 201);
        // While one tenant is known, the search rests for as long as a batch takes here.
        assertThat(reads).isBetween(batches.size(), 5 * batches.size() / 2);
    }

    /** Nobody starves: each timer of a tenant with little to do waits a bounded number of batches. */
    @Test
    void eachTenantsOldestTimerWaitsABoundedNumberOfBatches() {
        for (long seed = 0; seed < 20; seed++) {
            publishedAt.clear();
            batches.clear();
            kit = kit(1);
            Random random = new Random(seed);
            int large = 1 + random.nextInt(3);
            for (int i = 0; i < large; i++) {
                backlog(kit, "large" + i, 200 + random.nextInt(600));
            }
            int small = 1 + random.nextInt(5);
            for (int i = 0; i < 10 * small; i++) {
                Duration delay = SECOND.multipliedBy(3).plusMillis(random.nextInt(5_000));
                kit.scheduler().schedule(timer("small" + i % small, i, delay).build());
            }
            kit.advance(Duration.ofMinutes(3));

            for (int i = 0; i < small; i++) {
                assertThat(latenessOf("small" + i))
                        .as("seed %d, tenant %d of %d behind %d", seed, i, small, large)
                        .isLessThanOrEqualTo(A_BATCH.multipliedBy(6));
            }
        }
    }

    @Test
    void severalCallsAtOnceTakeTurnsByTenantToo() {
        kit = kit(3);
        backlog(kit, "big", 2_000);
        for (int i = 0; i < 30; i++) {
            kit.scheduler()
                    .schedule(timer("small", i, SECOND.multipliedBy(3).plusMillis(150L * i))
                            .build());
        }
        kit.advance(Duration.ofSeconds(60));

        assertThat(publishedAt).hasSize(2_030);
    }
}

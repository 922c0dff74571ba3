package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that a timer which was put off because of others' poison is not overtaken by later ones of its key. */
class PutOffOrderTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration QUICK = Duration.ofMillis(2);
    private static final int KEYS = 5;
    private static final int SEEDS = 5;

    private final Map<String, List<Integer>> delivered = new ConcurrentHashMap<>();

    /** The parallel keys in calls, and how many calls have begun with one of them. */
    private final Set<String> inCalls = ConcurrentHashMap.newKeySet();

    private final AtomicInteger overlaps = new AtomicInteger();
    private final List<Duration> late = new ArrayList<>();
    private SlowReads store = new SlowReads();
    private @Nullable TimerKit kit;

    /** How long a call takes that holds a timer which hangs. */
    private volatile Duration hang = QUICK;

    /** A store whose reads take time: what they return may be outdated when they end. */
    private static final class SlowReads extends PassThroughStore {
        Runnable afterRead = () -> {};

        SlowReads() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public DueTimers due(DueQuery query) {
            DueTimers due = super.due(query);
            afterRead.run();
            return due;
        }

        @Override
        public int settle(List<Settlement> outcomes) {
            afterRead.run();
            return super.settle(outcomes);
        }
    }

    private TimerKit kit(int concurrency, int batchSize) {
        TimerKit built = TimerKit.builder()
                .store(store)
                .configure(scheduler -> scheduler
                        .publisher(this::publish)
                        .concurrency(concurrency)
                        .batchSize(batchSize)
                        .retry(RetryPolicy.fixed(Duration.ofMillis(700))))
                .build();
        kit = built;
        return built;
    }

    private void publish(List<Envelope> batch) throws IOException {
        Set<String> keys = batch.stream()
                .map(Envelope::parallelKey)
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        keys.forEach(each -> overlaps.addAndGet(inCalls.add(each) ? 0 : 1));
        try {
            call(batch);
        } finally {
            inCalls.removeAll(keys);
        }
    }

    private void call(List<Envelope> batch) throws IOException {
        Objects.requireNonNull(kit)
                .clock()
                .linger(batch.stream().anyMatch(each -> each.headers().containsKey("hangs")) ? hang : QUICK);
        for (Envelope each : batch) {
            if (each.headers().containsKey("fails")
                    && each.attempt() <= Integer.parseInt(each.headers().get("fails"))) {
                throw new IOException("refused");
            }
        }
        batch.stream()
                .filter(each -> each.parallelKey() != null && !each.headers().containsKey("fails"))
                .forEach(each -> delivered
                        .computeIfAbsent(String.valueOf(each.parallelKey()), first -> new ArrayList<>())
                        .add(Integer.parseInt(each.key().timerId())));
    }

    /** Some timers fail once or more. The others of each key are delivered in their order. */
    @ParameterizedTest
    @CsvSource({
        "1, 100, 60, 1, 2",
        "1, 100, 0, 3, 2",
        "1, 20, 10, 3, 300",
        "1, 20, 10, 3, 1500",
        "4, 50, 60, 1, 2",
        "4, 20, 0, 3, 1500",
        "2, 20, 40, 3, 1500",
        "2, 20, 10, 3, 300"
    })
    void healthyTimersOfAKeyKeepTheirOrder(int concurrency, int batchSize, int readMillis, int types, int hangMillis) {
        hang = Duration.ofMillis(hangMillis);
        for (int seed = 0; seed < SEEDS; seed++) {
            store = new SlowReads();
            TimerKit running = kit(concurrency, batchSize);
            store.afterRead = () -> running.clock().linger(Duration.ofMillis(readMillis));
            delivered.clear();
            int healthy = run(running, new Random(seed), types);

            String described = "seed " + seed;
            assertThat(countOfDelivered()).as(described).isEqualTo(healthy);
            assertThat(delivered.values())
                    .as(described)
                    .allSatisfy(ids -> assertThat(ids).isSorted());
            assertThat(overlaps).as(described).hasValue(0);
            running.close();
        }
    }

    private int countOfDelivered() {
        return delivered.values().stream().mapToInt(List::size).sum();
    }

    /** Returns how many timers do not fail. */
    private int run(TimerKit running, Random random, int types) {
        int healthy = 0;
        for (int wave = 0; wave < 15; wave++) {
            List<Timer> timers = new ArrayList<>();
            Instant base = running.now().plus(SECOND);
            for (int i = 0; i < 60; i++) {
                int key = random.nextInt(KEYS);
                String id = String.valueOf(wave * 60 + i);
                Timer.Builder timer = Timer.at(TimerKey.of("t" + key, id), base.plusMillis(3L * i))
                        .parallelKey("k" + key)
                        .type("type" + (types == 1 ? key % 3 : random.nextInt(types)));
                if (random.nextInt(12) == 0) {
                    timer.header("fails", String.valueOf(1 + random.nextInt(3)));
                } else {
                    healthy++;
                }
                if (random.nextInt(40) == 0) {
                    timer.header("hangs", "yes");
                }
                timers.add(timer.build());
            }
            running.scheduler().scheduleAll(timers);
            running.advance(Duration.ofMillis(600));
        }
        // Others get through, which shows that the publisher is not away.
        for (int i = 0; i < 900 && countOfDelivered() < healthy; i++) {
            running.scheduler().schedule(TimerKey.of("others", String.valueOf(i)), Duration.ZERO, "payload");
            running.advance(SECOND);
        }
        return healthy;
    }

    private void publishUnlessBad(List<Envelope> batch, Duration bad) throws IOException {
        TimerKit running = Objects.requireNonNull(kit);
        boolean fails = batch.stream().anyMatch(each -> each.type().equals("bad"));
        running.clock().linger(fails ? bad : Duration.ofMillis(2));
        if (fails) {
            throw new IOException("refused");
        }
        batch.forEach(each -> late.add(Duration.between(each.event().dueAt(), running.now())));
    }

    private TimerKit kitWithBad(Duration bad) {
        TimerKit built = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .publisher(batch -> publishUnlessBad(batch, bad))
                        .retry(RetryPolicy.fixed(SECOND)))
                .build();
        kit = built;
        return built;
    }

    private static Timer.Builder timer(String tenant, String id, String type) {
        return Timer.after(TimerKey.of(tenant, id), Duration.ofMillis(100)).type(type);
    }

    /** Its retries are overtaken, and its timers that were not tried yet concern nobody else. */
    @ParameterizedTest
    @CsvSource({"bad, 1000", "bad, 20", "good, 20"})
    void poisonHoldsUpNoHealthyTimersOfItsKeys(String tenant, int badMillis) {
        TimerKit running = kitWithBad(Duration.ofMillis(badMillis));
        int healthy = 0;
        for (int i = 0; i < 120; i++) {
            List<Timer> timers = new ArrayList<>();
            if (i < 20 || (!tenant.equals("good") && i % 2 == 0)) {
                timers.add(timer(tenant, "bad-" + i, "bad")
                        .parallelKey("k" + i % 3)
                        .build());
            }
            for (int j = 0; i >= 20 && j < 6; j++) {
                timers.add(timer("good", i + "-" + j, "fine")
                        .parallelKey("k" + j % 3)
                        .build());
                healthy++;
            }
            timers.add(timer("others", String.valueOf(i), "fine").build());
            healthy++;
            running.scheduler().scheduleAll(timers);
            running.advance(SECOND);
        }

        assertThat(late).hasSizeGreaterThanOrEqualTo(healthy - 7);
        // The poison of its own tenant holds up its keys until it was tried once.
        int from = tenant.equals("good") ? late.size() * 2 / 3 : 0;
        List<Duration> sorted =
                late.subList(from, late.size()).stream().sorted().toList();
        assertThat(sorted.get(sorted.size() * 9 / 10)).isLessThan(SECOND.multipliedBy(3));
    }

    @Test
    void aTimerThatIsCancelledWhilePutOffHoldsUpItsKeyNoLongerThanItsTime() {
        TimerKit running = kitWithBad(Duration.ofMillis(100));
        for (int i = 0; i < 30; i++) {
            running.scheduler()
                    .schedule(timer("good", "bad-" + i, "bad")
                            .parallelKey("k" + i)
                            .build());
        }
        for (int i = 0; i < 5; i++) {
            running.scheduler().schedule(timer("others", "a-" + i, "fine").build());
            running.advance(SECOND);
        }
        Instant latest = running.now();
        for (int i = 0; i < 30; i++) {
            TimerKey key = TimerKey.of("good", "bad-" + i);
            latest = Times.later(
                    latest,
                    Objects.requireNonNull(
                            running.store().find(key).orElseThrow().wakeAt()));
            running.scheduler().cancel(key);
            running.scheduler()
                    .schedule(timer("good", "next-" + i, "fine")
                            .parallelKey("k" + i)
                            .build());
        }
        late.clear();
        running.advance(Duration.between(running.now(), latest).plusSeconds(4));

        assertThat(late).hasSize(30);
    }
}

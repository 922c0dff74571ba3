package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PartialPublishException;
import dev.duetime.Publisher;
import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that the time lost by a poison timer is lost by its own tenant and type. A call takes 20 ms. */
class PoisonCostTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration CALL = Duration.ofMillis(20);
    private static final Duration HANGS = SECOND.multipliedBy(10);
    private static final Duration OBSERVED = Duration.ofMinutes(3);

    private final Map<TimerKey, Duration> lateness = new HashMap<>();
    private final Set<TimerKey> delivered = new HashSet<>();
    private boolean isRepaired;
    private Duration call = CALL;
    private Duration suspended = Duration.ZERO;
    private @Nullable TimerKit kit;

    private TimerKit kit(Publisher publisher) {
        TimerKit built = TimerKit.builder()
                .configure(scheduler ->
                        scheduler.publisher(publisher).retry(RetryPolicy.exponential(SECOND, SECOND.multipliedBy(30))))
                .build();
        kit = built;
        return built;
    }

    private TimerKit kit() {
        return Objects.requireNonNull(kit);
    }

    private boolean isBad(Envelope envelope) {
        return !isRepaired && envelope.key().timerId().startsWith("bad");
    }

    private void accept(List<Envelope> batch) {
        for (Envelope each : batch) {
            delivered.add(each.key());
            lateness.putIfAbsent(each.key(), Duration.between(each.event().dueAt(), kit().now()));
        }
    }

    /** Refuses a batch without naming an envelope. */
    private void refuse(List<Envelope> batch) throws IOException {
        boolean bad = batch.stream().anyMatch(this::isBad);
        kit().clock().linger(bad && batch.size() == 1 ? suspended.plus(call) : CALL);
        suspended = bad && batch.size() == 1 ? Duration.ZERO : suspended;
        if (batch.stream().anyMatch(this::isBad)) {
            throw new IOException("refused");
        }
        accept(batch);
    }

    private void hang(List<Envelope> batch) throws IOException {
        boolean bad = batch.stream().anyMatch(this::isBad);
        kit().clock().linger(bad ? HANGS : CALL);
        if (bad) {
            throw new IOException("timed out");
        }
        accept(batch);
    }

    /** Refuses a batch without naming an envelope, and a single envelope by an error of its own. */
    private void refuseOne(List<Envelope> batch) {
        boolean bad = batch.stream().anyMatch(this::isBad);
        kit().clock().linger(bad ? CALL.multipliedBy(10) : CALL);
        if (bad) {
            throw batch.size() > 1
                    ? new IllegalStateException("refused")
                    : new HandlerException(new IllegalStateException("refused"));
        }
        accept(batch);
    }

    /** Calls the endpoint of each envelope, and names those whose endpoint failed. */
    private void name(List<Envelope> batch) throws PartialPublishException {
        Map<String, Throwable> failures = new HashMap<>();
        for (Envelope each : batch) {
            if (isBad(each)) {
                kit().clock().linger(CALL);
                failures.put(each.id(), new IOException("refused"));
            } else {
                accept(List.of(each));
            }
        }
        if (!failures.isEmpty()) {
            throw new PartialPublishException(failures);
        }
    }

    private static Timer timer(String tenant, String id, Instant dueAt) {
        return Timer.at(TimerKey.of(tenant, id), dueAt).type("call").build();
    }

    private void schedulePoison(int count) {
        Instant now = kit().now();
        kit().scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> timer("noisy", "bad-" + i, now.plusMillis(i % 1_000)))
                        .toList());
    }

    /** One timer every 100 ms, of ten tenants. */
    private List<TimerKey> scheduleOthers(Duration during) {
        Instant now = kit().now();
        List<Timer> others = IntStream.range(0, (int) (during.toMillis() / 100))
                .mapToObj(i -> timer("tenant-" + i % 10, "good-" + i, now.plusMillis(100L * i)))
                .toList();
        kit().scheduler().scheduleAll(others);
        return others.stream().map(Timer::key).toList();
    }

    private Duration percentile(List<TimerKey> keys, int percent) {
        List<Duration> sorted = new ArrayList<>(keys.stream()
                .map(key -> lateness.getOrDefault(key, OBSERVED))
                .sorted()
                .toList());
        return sorted.get(sorted.size() * percent / 100);
    }

    @Nested
    class TheOthersArePunctual {
        @ParameterizedTest
        @ValueSource(ints = {500, 3_000})
        void althoughThePublisherNamesNoFailure(int poison) {
            kit(PoisonCostTest.this::refuse);
            areServedBeside(poison);
        }

        @ParameterizedTest
        @ValueSource(ints = {500, 3_000})
        void althoughEachNamedFailureTakesTime(int poison) {
            kit(PoisonCostTest.this::name);
            areServedBeside(poison);
        }

        private void areServedBeside(int poison) {
            schedulePoison(poison);
            // The first calls find out which tenant causes the failures.
            kit().advance(SECOND.multipliedBy(15));
            List<TimerKey> others = scheduleOthers(OBSERVED);
            kit().advance(OBSERVED);

            assertThat(delivered).containsAll(others);
            assertThat(percentile(others, 50)).isLessThan(Duration.ofMillis(100));
            assertThat(percentile(others, 90)).isLessThan(Duration.ofMillis(250));
            assertThat(percentile(others, 99)).isLessThan(SECOND);
        }

        @Test
        void thoughMoreOfThePoisonFallsDueAllTheTime() {
            kit(PoisonCostTest.this::refuse);
            schedulePoison(500);
            kit().advance(SECOND.multipliedBy(15));
            List<TimerKey> others = scheduleOthers(OBSERVED);
            Instant now = kit().now();
            kit().scheduler()
                    .scheduleAll(IntStream.range(0, 3_000)
                            .mapToObj(i -> timer("noisy", "bad-later-" + i, now.plusMillis(60L * i)))
                            .toList());
            kit().advance(OBSERVED);

            assertThat(percentile(others, 90)).isLessThan(Duration.ofMillis(250));
        }

        @Test
        void thoughEachFailureTakesTwoSeconds() {
            call = SECOND.multipliedBy(2);
            kit(PoisonCostTest.this::refuse);
            List<TimerKey> others = scheduleOthers(OBSERVED);
            kit().advance(SECOND);
            schedulePoison(100);
            kit().advance(OBSERVED);

            assertThat(percentile(others, 50)).isLessThan(Duration.ofMillis(100));
            assertThat(percentile(others, 90)).isLessThan(SECOND);
        }

        /** The rest of the batch is not published once more before them. */
        @Test
        void thoughABatchOfOneTenantHangs() {
            kit(PoisonCostTest.this::hang);
            Instant now = kit().now();
            List<Timer> all = new ArrayList<>(IntStream.range(0, 20)
                    .mapToObj(i -> timer("noisy", "good-" + i, now.minusMillis(i)))
                    .toList());
            all.add(timer("noisy", "bad", now.minusMillis(10)));
            Timer later = timer("other", "later", now.plusMillis(100));
            all.add(later);
            kit().scheduler().scheduleAll(all);
            kit().advance(HANGS.multipliedBy(10));

            assertThat(lateness.get(later.key())).isLessThan(HANGS.plus(SECOND));
        }

        /** One call finds that the batch fails. Then each lane is tried, the bad ones perhaps once more. */
        @ParameterizedTest
        @ValueSource(ints = {1, 10})
        void thoughEachFailureHangsForTenSeconds(int bad) {
            kit(PoisonCostTest.this::hang);
            Instant now = kit().now();
            List<Timer> good = IntStream.range(0, 400)
                    .mapToObj(i -> timer("tenant-" + i, "good-" + i, now))
                    .toList();
            List<Timer> all = new ArrayList<>(good);
            IntStream.range(0, bad).forEach(i -> all.add(40 * i, timer("noisy-" + i, "bad-" + i, now)));
            kit().scheduler().scheduleAll(all);
            kit().advance(HANGS.multipliedBy(100));

            List<TimerKey> keys = good.stream().map(Timer::key).toList();
            assertThat(percentile(keys, 99))
                    .isLessThan(HANGS.multipliedBy(1 + 2L * bad).plus(HANGS));
        }

        @Test
        void thoughManyFailByAnErrorOfTheirOwn() {
            kit(PoisonCostTest.this::refuseOne);
            Instant now = kit().now();
            List<Timer> all = new ArrayList<>();
            IntStream.range(0, 300).forEach(i -> all.add(timer("noisy", "bad-" + i, now.minusMillis(1))));
            Timer good = timer("tenant", "good", now);
            all.add(good);
            kit().scheduler().scheduleAll(all);
            kit().advance(OBSERVED);

            assertThat(lateness.get(good.key())).isLessThan(SECOND.multipliedBy(3));
        }

        @Test
        void thoughTenTenantsFail() {
            kit(PoisonCostTest.this::refuse);
            Instant now = kit().now();
            kit().scheduler()
                    .scheduleAll(IntStream.range(0, 1_000)
                            .mapToObj(i -> timer("noisy-" + i % 10, "bad-" + i, now.plusMillis(i % 1_000)))
                            .toList());
            kit().advance(SECOND.multipliedBy(15));
            List<TimerKey> others = scheduleOthers(OBSERVED);
            kit().advance(OBSERVED);

            assertThat(percentile(others, 90)).isLessThan(Duration.ofMillis(500));
        }
    }

    @Nested
    class TheTenantItself {
        @Test
        void isServedAgainSoonAfterItsEndpointIsBack() {
            kit(PoisonCostTest.this::refuse);
            schedulePoison(500);
            kit().advance(OBSERVED);
            isRepaired = true;
            kit().advance(Duration.ofMinutes(2));

            assertThat(delivered).hasSize(500);
        }

        @Test
        void isServedSoonAlthoughTheProcessWasSuspendedInItsFailingCall() {
            kit(PoisonCostTest.this::refuse);
            scheduleOthers(OBSERVED);
            kit().advance(SECOND);
            schedulePoison(1);
            kit().advance(Duration.ofMillis(500));
            suspended = SECOND.multipliedBy(5);
            kit().advance(SECOND.multipliedBy(7));
            assertThat(suspended).isZero();
            isRepaired = true;
            kit().advance(SECOND.multipliedBy(10));

            assertThat(delivered).contains(TimerKey.of("noisy", "bad-0"));
        }

        @Test
        void keepsTryingEachOfItsTimers() {
            kit(PoisonCostTest.this::refuse);
            schedulePoison(20);
            // Something gets through, so this is no outage.
            scheduleOthers(OBSERVED);
            kit().advance(OBSERVED);

            assertThat(kit().scheduler()
                            .query(TimerQuery.all()
                                    .tenantId("noisy")
                                    .state(TimerState.SCHEDULED)
                                    .limit(20)))
                    .hasSize(20)
                    .extracting(StoredTimer::attempt)
                    .allMatch(attempt -> attempt >= 2);
        }

        @Test
        void losesLittleByOneBadTimerAmongFiveHundredGoodOnes() {
            kit(PoisonCostTest.this::refuse);
            Instant now = kit().now();
            kit().scheduler()
                    .scheduleAll(IntStream.range(0, 500)
                            .mapToObj(i -> timer("noisy", (i == 250 ? "bad-" : "good-") + i, now.plus(SECOND)))
                            .toList());
            kit().advance(SECOND.multipliedBy(3));

            assertThat(delivered).hasSize(499);
        }
    }
}

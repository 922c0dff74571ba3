package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.Payload;
import dev.duetime.RateLimit;
import dev.duetime.RetryPolicy;
import dev.duetime.RetryRules;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.settings.QueueLimits;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of permits while the share of the node becomes smaller. */
class QueuePermitsTest {
    private static final int UNITS = 5;
    private static final Instant UNTIL = Instant.EPOCH.plusSeconds(10);
    private static final long FOREVER = Duration.ofDays(1).toNanos();

    private final Asked clock = new Asked();
    private final QueuePermits permits = new QueuePermits(settings(), clock);
    private final HeldLimit limit = permits.limits().get(0);

    private static QueueSettings settings() {
        return settings(new QueueLimits(UNITS, null, null, 1, Map.of()));
    }

    private static QueueSettings settings(QueueLimits limits) {
        RetryPolicies retries = new RetryPolicies(
                RetryRules.of(RetryPolicy.fixed(Duration.ofSeconds(1))), Map.of(), Duration.ofDays(1));
        return new QueueSettings(
                "work",
                null,
                null,
                Map.of(),
                Duration.ofSeconds(5),
                10,
                1,
                OptionalInt.empty(),
                Duration.ofDays(1),
                retries,
                limits,
                1_000_000);
    }

    private static List<StoredTimer> timers(int count) {
        return IntStream.range(0, count).mapToObj(QueuePermitsTest::timer).toList();
    }

    private static StoredTimer timer(int id) {
        return timer(id, null);
    }

    private static StoredTimer timer(int id, @Nullable String key) {
        return timer(id, "timer", "t", key);
    }

    private static StoredTimer timer(int id, String type, String tenant, @Nullable String key) {
        TimerContent content = new TimerContent(
                "work", Instant.EPOCH, null, type, Payload.NONE, Map.of(), 0, null, key, null, null, null, null);
        return new StoredTimer(
                TimerKey.of(tenant, "t" + id),
                0,
                content,
                TimerState.SCHEDULED,
                id,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                null);
    }

    private Share share(String node, int units) {
        return new Share(node, units, units, UNITS, 0, Instant.EPOCH, UNTIL);
    }

    private void plan(Share... shares) {
        Ledger ledger = new Ledger(limit.name, 1, Instant.EPOCH, List.of(shares));
        Exchange exchange = new Exchange(List.of(ledger), Instant.EPOCH, 0, UNTIL, false);
        permits.locked(now -> new LedgerPlan("here").plan(limit, exchange, now));
    }

    /** A clock that does something when it is asked for a number of times. */
    private static final class Asked implements Clock {
        private int times;
        private int at = -1;
        private Runnable action = () -> {};

        void onCall(int number, Runnable then) {
            times = 0;
            at = number;
            action = then;
        }

        @Override
        public Instant now() {
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            if (times++ == at) {
                action.run();
            }
            return 0;
        }

        @Override
        public Loop start(String name, Pass pass) {
            throw new UnsupportedOperationException();
        }
    }

    /** Wherever another thread gives up units while a timer takes its permit. */
    @Test
    void noMoreTimersBeginThanTheNodeHasUnitsFor() {
        for (int call = 0; call < 3; call++) {
            limit.grant(UNITS, UNITS, TenantPermits.NONE, 0, FOREVER);
            List<StoredTimer> running = timers(3);
            assertThat(running).allMatch(permits::tryBegin);
            clock.onCall(call, () -> limit.units().shrink(3, 3, 0));
            StoredTimer last = timer(9);
            boolean began = permits.tryBegin(last);
            clock.onCall(-1, () -> {});

            assertThat(limit.units().bound()).isLessThanOrEqualTo(limit.units().usable());
            if (began) {
                permits.ended(last);
            }
            running.forEach(permits::ended);
        }
    }

    @Test
    void aPermitOfAShareThatHasEndedIsLostAlsoIfTheNodeGetsUnitsAgain() {
        limit.grant(UNITS, UNITS, TenantPermits.NONE, 0, FOREVER);
        List<StoredTimer> reserved = timers(UNITS);
        assertThat(reserved).allMatch(permits::tryBegin);
        plan(share("there", 4));
        limit.grant(1, 1, TenantPermits.NONE, 0, FOREVER);

        assertThat(permits.begun(reserved)).isEmpty();
        reserved.forEach(permits::ended);
        assertThat(permits.tryBegin(timer(6))).isTrue();
        assertThat(permits.begun(timer(6))).isTrue();
        assertThat(permits.tryBegin(timer(7))).isFalse();
    }

    @Test
    void aTimerDoesNotBeginBeforeOneOfItsKeyWhoseShareHasEnded() {
        limit.grant(UNITS, UNITS, TenantPermits.NONE, 0, FOREVER);
        StoredTimer first = timer(1, "key");
        StoredTimer second = timer(2, "key");
        assertThat(permits.tryBegin(first)).isTrue();
        plan(share("there", 4));
        limit.grant(1, 1, TenantPermits.NONE, 0, FOREVER);

        // The others have no permit that could have ended, as if their type had no limit.
        StoredTimer other = timer(3);
        assertThat(permits.begun(List.of(first, second, other))).containsExactly(other);
    }

    @Test
    void permitsAreInDoubtFromAnErrorInAChangeUntilTheirOwnersAreCounted() {
        limit.grant(UNITS, UNITS, TenantPermits.NONE, 0, FOREVER);
        StoredTimer kept = timer(1);
        assertThat(permits.tryBegin(kept)).isTrue();
        assertThat(permits.tryBegin(timer(2))).isTrue();
        assertThat(permits.isDoubtful()).isFalse();
        clock.onCall(0, () -> {
            throw new HeapIsFull();
        });

        assertThatThrownBy(() -> permits.begun(kept)).isInstanceOf(HeapIsFull.class);

        assertThat(permits.isDoubtful()).isTrue();
        permits.keepOnly(owners -> owners.accept(kept));
        assertThat(permits.isDoubtful()).isFalse();
        assertThat(limit.units().bound()).isEqualTo(1);
    }

    private static final class HeapIsFull extends OutOfMemoryError {
        private static final long serialVersionUID = 1L;
    }

    @Test
    void aPermitOfAShareThatGoesOnIsKept() {
        limit.grant(UNITS, UNITS, TenantPermits.NONE, 0, FOREVER);
        List<StoredTimer> reserved = timers(2);
        assertThat(reserved).allMatch(permits::tryBegin);
        plan(share("here", UNITS), share("there", 0));

        assertThat(permits.begun(reserved)).isEqualTo(reserved);
    }

    /** Otherwise this node would hold most units of the queue, and the other nodes could not use them. */
    @Test
    void timersThatWaitForOneLimitWantFewUnitsOfAnother() {
        QueueLimits limits = new QueueLimits(100, null, null, 1, Map.of("timer", new QueueLimits.OfType(1, null)));
        QueuePermits both = new QueuePermits(settings(limits), clock);
        HeldLimit queue = both.limits().get(0);
        HeldLimit type = both.limits().get(1);

        both.beginPass(true);
        assertThat(timers(100)).noneMatch(both::mayBegin);
        assertThat(queue.demand(0)).isBetween(1, 2);

        queue.grant(100, 100, TenantPermits.NONE, 0, FOREVER);
        both.beginPass(true);
        assertThat(timers(100)).noneMatch(both::mayBegin);
        assertThat(queue.demand(0)).isBetween(1, 2);
        assertThat(type.refusals().waiting(0)).isEqualTo(100);
    }

    private HeldLimit[] twoLimits(int ofQueue, QueueLimits.OfType ofType) {
        QueuePermits both =
                new QueuePermits(settings(new QueueLimits(ofQueue, null, null, 1, Map.of("timer", ofType))), clock);
        both.beginPass(true);
        assertThat(timers(100)).noneMatch(both::mayBegin);
        return both.limits().toArray(HeldLimit[]::new);
    }

    @Test
    void timersThatWaitForARateWantFewUnitsOfTheQueue() {
        HeldLimit[] limits = twoLimits(20, new QueueLimits.OfType(null, RateLimit.perSecond(20)));

        assertThat(limits[0].demand(0)).isEqualTo(1);
        assertThat(limits[1].refusals().waiting(0)).isEqualTo(100);
    }

    /** Otherwise a node would get the unit of one limit in its turn, and ask for that of the other one only then. */
    @Test
    void aTimerThatNeedsTheOnlyUnitOfTwoLimitsWantsBoth() {
        HeldLimit[] limits = twoLimits(1, new QueueLimits.OfType(1, null));

        assertThat(limits[0].demand(0)).isEqualTo(1);
        assertThat(limits[1].demand(0)).isEqualTo(1);
    }

    /** Timers that are refused are left out of reads for a second. Meanwhile passes find others only. */
    @Test
    void whatIsWantedIsKnownUntilTheTimersAreReadAgain() {
        QueuePermits both = new QueuePermits(
                settings(new QueueLimits(20, null, null, 1, Map.of("timer", new QueueLimits.OfType(2, null)))), clock);
        HeldLimit queue = both.limits().get(0);
        queue.grant(20, 20, TenantPermits.NONE, 0, FOREVER);
        both.beginPass(false);
        assertThat(timers(100)).noneMatch(both::mayBegin);
        long second = Duration.ofSeconds(1).toNanos();
        for (int i = 0; i < 8; i++) {
            assertThat(queue.demand(i * second / 4)).isEqualTo(2);
            queue.refusals().beginPass(false);
        }

        assertThat(queue.demand(2 * second)).isZero();
    }

    /** They want units of the queue, too, and come first. */
    @Test
    void timersThatWaitForARateDoNotKeepATypeFromTheUnitsOfItsOwnLimit() {
        Map<String, QueueLimits.OfType> types = Map.of(
                "timer",
                new QueueLimits.OfType(null, RateLimit.perSecond(200)),
                "other",
                new QueueLimits.OfType(2, null));
        QueuePermits all = new QueuePermits(settings(new QueueLimits(10, null, null, 1, types)), clock);
        HeldLimit other = limitOf(all, "other");
        all.limits().get(0).grant(10, 10, TenantPermits.NONE, 0, FOREVER);

        all.beginPass(true);
        assertThat(timers(100)).noneMatch(all::mayBegin);
        assertThat(all.mayBegin(timer(200, "other", "t", null))).isFalse();

        assertThat(other.demand(0)).isEqualTo(1);
    }

    /** A publisher's passes may read what waits again and again while its limit is blocked. */
    @Test
    void aTimerThatIsRefusedAgainWaitsOnce() {
        List<StoredTimer> timers = timers(20);
        for (int pass = 0; pass < 5; pass++) {
            permits.beginPass(false);
            assertThat(timers).noneMatch(permits::tryBegin);
            assertThat(timers.subList(0, 5)).noneMatch(permits::mayBegin);
        }
        assertThat(permits.waitingCount()).isEqualTo(20);

        permits.beginPass(false);
        assertThat(permits.waitingCount()).isEqualTo(20);
    }

    @Test
    void aTimerThatGotItsPermitDoesNotWait() {
        List<StoredTimer> timers = timers(20);
        permits.beginPass(false);
        assertThat(timers).noneMatch(permits::tryBegin);
        limit.grant(UNITS, UNITS, TenantPermits.NONE, 0, FOREVER);

        assertThat(timers.stream().filter(permits::tryBegin)).hasSize(UNITS);
        assertThat(permits.waitingCount()).isEqualTo(20 - UNITS);
    }

    /** They may have been cancelled, or have gone to another node. */
    @Test
    void timersThatWereRefusedLongAgoDoNotWait() {
        long second = Duration.ofSeconds(1).toNanos();
        timers(20).forEach(each -> limit.refuse(each, 0));
        timers(3).forEach(each -> limit.refuse(each, second));

        assertThat(limit.refusals().waiting(2 * second - 1)).isEqualTo(20);
        assertThat(limit.refusals().waiting(2 * second)).isEqualTo(3);
        assertThat(limit.refusals().waiting(3 * second)).isZero();
    }

    private static HeldLimit limitOf(QueuePermits permits, String type) {
        return permits.limits().stream()
                .filter(each -> type.equals(each.type()))
                .findFirst()
                .orElseThrow();
    }

    /** The pass of a publisher keeps what earlier passes have counted. */
    @Test
    void tenantsOverTheirRateDoNotKeepAnotherOneFromUnitsOfItsType() {
        QueueLimits limits = new QueueLimits(
                null, null, RateLimit.perSecond(10), 1, Map.of("other", new QueueLimits.OfType(5, null)));
        QueuePermits all = new QueuePermits(settings(limits), clock);
        HeldLimit tenants = all.limits().get(0);
        tenants.grant(10, 10, TenantPermits.of(1), 0, FOREVER);
        HeldLimit other = limitOf(all, "other");
        for (String tenant : List.of("x1", "x2")) {
            for (int i = 0; tenants.isFree(timer(i, "timer", tenant, null), 0); i++) {
                all.tryBegin(timer(i, "timer", tenant, null));
            }
        }
        for (int pass = 0; pass < 5; pass++) {
            all.beginPass(false);
            for (int i = 0; i < 20; i++) {
                assertThat(all.mayBegin(timer(100 + i, "timer", "x" + (1 + i % 2), null)))
                        .isFalse();
            }
        }
        all.beginPass(false);
        StoredTimer waiting = timer(300, "other", "y", null);
        assertThat(tenants.isFree(waiting, 0)).isTrue();
        assertThat(all.mayBegin(waiting)).isFalse();

        assertThat(other.demand(0)).isEqualTo(1);
    }
}

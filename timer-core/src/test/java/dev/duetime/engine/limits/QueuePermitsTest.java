package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.Payload;
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
                new QueueLimits(UNITS, null, null, 1, Map.of()),
                1_000_000);
    }

    private static List<StoredTimer> timers(int count) {
        return IntStream.range(0, count).mapToObj(QueuePermitsTest::timer).toList();
    }

    private static StoredTimer timer(int id) {
        return timer(id, null);
    }

    private static StoredTimer timer(int id, @Nullable String key) {
        TimerContent content = new TimerContent(
                "work", Instant.EPOCH, null, "timer", Payload.NONE, Map.of(), 0, null, key, null, null, null, null);
        return new StoredTimer(
                TimerKey.of("t", "t" + id),
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
        Exchange exchange = new Exchange(List.of(ledger), Instant.EPOCH, UNTIL, false);
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
            limit.grant(UNITS, UNITS, 0, 0, FOREVER);
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
        limit.grant(UNITS, UNITS, 0, 0, FOREVER);
        List<StoredTimer> reserved = timers(UNITS);
        assertThat(reserved).allMatch(permits::tryBegin);
        plan(share("there", 4));
        limit.grant(1, 1, 0, 0, FOREVER);

        assertThat(permits.begun(reserved)).isEmpty();
        reserved.forEach(permits::ended);
        assertThat(permits.tryBegin(timer(6))).isTrue();
        assertThat(permits.begun(timer(6))).isTrue();
        assertThat(permits.tryBegin(timer(7))).isFalse();
    }

    @Test
    void aTimerDoesNotBeginBeforeOneOfItsKeyWhoseShareHasEnded() {
        limit.grant(UNITS, UNITS, 0, 0, FOREVER);
        StoredTimer first = timer(1, "key");
        StoredTimer second = timer(2, "key");
        assertThat(permits.tryBegin(first)).isTrue();
        plan(share("there", 4));
        limit.grant(1, 1, 0, 0, FOREVER);

        // The others have no permit that could have ended, as if their type had no limit.
        StoredTimer other = timer(3);
        assertThat(permits.begun(List.of(first, second, other))).containsExactly(other);
    }

    @Test
    void permitsAreInDoubtFromAnErrorInAChangeUntilTheirOwnersAreCounted() {
        limit.grant(UNITS, UNITS, 0, 0, FOREVER);
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
        limit.grant(UNITS, UNITS, 0, 0, FOREVER);
        List<StoredTimer> reserved = timers(2);
        assertThat(reserved).allMatch(permits::tryBegin);
        plan(share("here", UNITS), share("there", 0));

        assertThat(permits.begun(reserved)).isEqualTo(reserved);
    }
}

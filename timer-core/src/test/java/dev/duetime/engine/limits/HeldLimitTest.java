package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.RateLimit;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of permits that a node takes early, for deliveries that begin later. Five permits arrive in a second. */
class HeldLimitTest {
    private static final int UNITS = 5;
    private static final long START = 0;
    private static final long LATER = Duration.ofSeconds(10).toNanos();

    private final HeldLimit limit = held();

    private static HeldLimit held() {
        HeldLimit limit = HeldLimit.ofRate("default", null, RateLimit.perSecond(UNITS), false, START);
        limit.grant(
                UNITS, UNITS, TenantPermits.of(UNITS), START, Duration.ofDays(1).toNanos());
        return limit;
    }

    private static StoredTimer timer(int id) {
        TimerContent content = new TimerContent(
                "default", Instant.EPOCH, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
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

    /** Takes all permits that there are. */
    private List<StoredTimer> take(long now) {
        List<StoredTimer> taken = new ArrayList<>();
        while (limit.isFree(timer(taken.size()), now)) {
            limit.take(timer(taken.size()), now);
            taken.add(timer(taken.size()));
        }
        return taken;
    }

    @Test
    void permitsOfUnknownOwnersAreGivenBackAfterAnError() {
        List<StoredTimer> taken = take(START);
        limit.begun(taken.get(0), START);

        limit.units().beginCount();
        limit.count(taken.get(0), false, START);
        limit.count(taken.get(1), true, START);
        limit.endCount();

        assertThat(limit.units().bound()).isEqualTo(1);
        assertThat(take(START)).hasSize(UNITS - 2);
    }

    @Test
    void aConcurrencyLimitCountsOnlyKnownOwnersAfterAnError() {
        HeldLimit concurrency = HeldLimit.ofConcurrency("default", null, UNITS, START);
        for (int i = 0; i < UNITS; i++) {
            concurrency.take(timer(i), START);
        }

        concurrency.units().beginCount();
        concurrency.count(timer(0), false, START);
        concurrency.count(timer(1), true, START);
        assertThat(concurrency.units().bound()).isEqualTo(UNITS);
        concurrency.endCount();

        assertThat(concurrency.units().bound()).isEqualTo(2);
    }

    @Test
    void permitsOfDeliveriesThatHaveNotBegunDoNotFillUpAgain() {
        List<StoredTimer> first = take(START);

        assertThat(first).hasSize(UNITS);
        assertThat(take(LATER)).isEmpty();
    }

    @Test
    void deliveriesThatBeginOneByOneFreeNoPermitAtOnce() {
        take(START).forEach(each -> limit.begun(each, LATER));

        assertThat(take(LATER)).isEmpty();
        assertThat(take(LATER + Duration.ofMillis(400).toNanos())).hasSize(2);
    }

    @Test
    void aDeliveryThatDoesNotBeginReturnsItsPermit() {
        take(START).forEach(each -> limit.undo(each, LATER));

        assertThat(take(LATER)).hasSize(UNITS);
    }

    @Test
    void unitsOfDeliveriesThatHaveNotBegunAreNotGivenUp() {
        limit.take(timer(1), START);
        limit.take(timer(2), START);

        assertThat(limit.units().bound()).isEqualTo(2);
        assertThat(limit.units().shrink(2, 2, START).of("")).isEqualTo(UNITS - 2);
        assertThat(take(START)).isEmpty();
        limit.begun(timer(1), LATER);
        assertThat(limit.units().bound()).isEqualTo(1);
    }
}

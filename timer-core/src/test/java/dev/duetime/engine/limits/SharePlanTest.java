package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RateLimit;
import dev.duetime.engine.limits.LedgerPlan.Step;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of what a node keeps, gives up and writes beside other nodes. */
class SharePlanTest {
    private static final int TOTAL = 10;
    private static final long FOREVER = Duration.ofDays(1).toNanos();
    private static final Instant NOW = Instant.EPOCH;

    private static Share share(HeldLimit limit, String node, int units, int demand) {
        return new Share(node, units, demand, limit.total, limit.spacing, NOW, NOW.plusSeconds(10));
    }

    private static Step plan(HeldLimit limit, long nanos, Share... shares) {
        Ledger ledger = new Ledger(limit.name, 1, NOW, List.of(shares));
        Exchange exchange = new Exchange(List.of(ledger), NOW, nanos, NOW.plusSeconds(10), false);
        return new LedgerPlan("here").plan(limit, exchange, nanos);
    }

    private static HeldLimit concurrency() {
        return HeldLimit.ofConcurrency("work", null, TOTAL, 0);
    }

    @Test
    void aNodeThatHasAndWantsNothingWritesNothing() {
        HeldLimit limit = concurrency();

        assertThat(plan(limit, 0, share(limit, "there", 5, 8)).isNews()).isFalse();
        assertThat(plan(limit, 0, share(limit, "there", 5, 8), share(limit, "here", 0, 1))
                        .isNews())
                .isTrue();
    }

    /** For example after somebody has changed a row. */
    @Test
    void sharesBeyondTheLimitShrinkAlsoIfNobodyWantsMore() {
        HeldLimit limit = concurrency();
        limit.grant(TOTAL, TOTAL, TenantPermits.NONE, 0, FOREVER);
        limit.want(0);

        Step step = plan(limit, 0, share(limit, "there", 5, 5), share(limit, "here", TOTAL, 1));

        assertThat(step.usable()).isLessThanOrEqualTo(TOTAL / 2);
    }

    @Test
    void aQuietNodeLeavesItsPartOfATenantRateToNodesThatWantIt() {
        HeldLimit limit = HeldLimit.ofRate("work", null, RateLimit.perHour(TOTAL), true, 0);
        limit.grant(TOTAL / 2, TOTAL / 2, TenantPermits.of(1), 0, FOREVER);
        limit.units().bucket("tenant", 0).reserve();
        limit.units().bucket("tenant", 0).use();
        long later = Duration.ofMinutes(1).toNanos();

        Step beside = plan(limit, later, share(limit, "there", 5, 5), share(limit, "here", 5, TOTAL));
        assertThat(beside.units()).isEqualTo(5);

        Step wanted = plan(limit, later, share(limit, "there", 5, TOTAL), share(limit, "here", 5, TOTAL));
        assertThat(wanted.units()).isZero();
    }
}

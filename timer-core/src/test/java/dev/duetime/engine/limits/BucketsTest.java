package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the buckets of many tenants. Each has ten permits, and another one each second. */
class BucketsTest {
    private static final int UNITS = 10;
    private static final double EACH = Duration.ofSeconds(1).toNanos();
    private static final long LATER = Duration.ofSeconds(20).toNanos();

    /** Counts how often all buckets are looked at. */
    private static final class Counted extends HashMap<String, Bucket> {
        private static final long serialVersionUID = 1;
        private int searches;

        @Override
        public Collection<Bucket> values() {
            searches++;
            return super.values();
        }
    }

    private final Counted kept = new Counted();
    private final Buckets buckets = new Buckets(kept);

    BucketsTest() {
        buckets.add(0, UNITS, EACH, TenantPermits.of(UNITS));
        kept.searches = 0;
    }

    private void use(String prefix, int tenants, int each, long nowNanos) {
        for (int i = 0; i < tenants; i++) {
            for (int permit = 0; permit < each; permit++) {
                Bucket bucket = buckets.of(prefix + i, nowNanos, UNITS, EACH);
                assertThat(bucket.hasOne()).isTrue();
                bucket.reserve();
                bucket.use();
            }
        }
    }

    @Test
    void aNewTenantAmongManyCostsNoSearchOfAllOthers() {
        use("t", 50_000, 1, 0);

        assertThat(kept.searches).isBetween(1, 4);
    }

    @Test
    void noTenantOfManyExceedsItsRate() {
        use("t", 30_000, UNITS, 0);

        for (int i = 0; i < 30_000; i++) {
            assertThat(buckets.of("t" + i, 0, UNITS, EACH).hasOne()).isFalse();
        }
    }

    @Test
    void tenantsWithAFullBucketAreForgotten() {
        use("t", 30_000, UNITS, 0);
        use("later", 30_000, 1, LATER);
        use("latest", 30_000, 1, 2 * LATER);

        assertThat(kept).hasSizeLessThan(60_000);
        assertThat(kept).doesNotContainKey("t0");
    }

    @Test
    void permitsAreAddedAndTakenAwayByTenant() {
        use("t", 2, 4, 0);
        TenantPermits beyond = buckets.cut(0, UNITS, EACH, 5);

        assertThat(beyond.unknown()).isEqualTo(5);
        assertThat(beyond.byTenant()).containsOnly(entry("t0", 1.0), entry("t1", 1.0));

        buckets.add(0, 5, EACH, new TenantPermits(5, Map.of("t0", 1.0, "new", 2.0)));
        assertThat(buckets.of("t0", 0, UNITS, EACH).permits()).isEqualTo(6);
        assertThat(buckets.of("t1", 0, UNITS, EACH).permits()).isEqualTo(UNITS);
        assertThat(buckets.of("new", 0, UNITS, EACH).permits()).isEqualTo(7);
        assertThat(buckets.of("unknown", 0, UNITS, EACH).permits()).isEqualTo(UNITS);
    }

    @Test
    void noLevelIsForgottenWhileManyAreAdded() {
        use("t", 9_990, 1, 0);
        Map<String, Double> byTenant = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            byTenant.put("new" + i, 0.0);
        }

        buckets.cut(LATER, UNITS, EACH, 5);
        buckets.add(LATER, 5, EACH, new TenantPermits(5, byTenant));

        for (int i = 0; i < 100; i++) {
            assertThat(buckets.of("new" + i, LATER, UNITS, EACH).permits()).isEqualTo(5);
        }
    }
}

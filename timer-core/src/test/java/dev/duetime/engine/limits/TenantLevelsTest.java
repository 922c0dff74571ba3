package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of levels of many tenants, and of units that have them. Empty units fill up in an hour. */
class TenantLevelsTest {
    private static final Instant NOW = Instant.parse("2030-01-01T12:00:00Z");
    private static final double HOUR = Duration.ofHours(1).toNanos();
    private static final int MANY = 3_000;

    private static UnusedUnits holding(int count, double unknown, Map<String, Double> byTenant) {
        return UnusedUnits.holding(new TenantPermits(unknown, byTenant), count, NOW, HOUR);
    }

    @Test
    void theEmptiestTenantsKeepTheirLevelsAndNobodyGetsMore() {
        Map<String, Instant> byTenant = new HashMap<>();
        for (int i = 0; i < MANY; i++) {
            byTenant.put("t" + i, NOW.plusSeconds(i));
        }

        TenantLevels levels = TenantLevels.of(NOW.minusSeconds(1), byTenant);

        assertThat(levels.byTenant()).hasSize(TenantLevels.MOST_TENANTS);
        byTenant.forEach((tenant, since) -> assertThat(levels.of(tenant)).isAfterOrEqualTo(since));
        assertThat(levels.of("t2999")).isEqualTo(NOW.plusSeconds(2_999));
        assertThat(levels.since()).isEqualTo(NOW.plusSeconds(1_999));
        assertThat(levels.lowest()).isEqualTo(NOW.plusSeconds(2_999));
    }

    @Test
    void tenantsAtOneLevelThatDoNotFitLowerIt() {
        Map<String, Instant> byTenant = new HashMap<>();
        for (int i = 0; i < MANY; i++) {
            byTenant.put("t" + i, NOW);
        }

        assertThat(TenantLevels.of(NOW.minusSeconds(1), byTenant)).isEqualTo(TenantLevels.of(NOW));
    }

    @Test
    void aTenantIsNeverFullerThanUnknownOnes() {
        TenantLevels levels = TenantLevels.of(NOW, Map.of("a", NOW.minusSeconds(1), "b", NOW));

        assertThat(levels).isEqualTo(TenantLevels.of(NOW));
    }

    @Test
    void unitsThatArePutTogetherHoldAsManyPermitsOfEachTenant() {
        UnusedUnits one = holding(1, 1, Map.of("a", 0.0, "b", 0.5));
        UnusedUnits three = holding(3, 1.5, Map.of("a", 0.75));

        TenantPermits all = one.and(three, NOW, HOUR).permits(NOW, HOUR);

        assertThat(all.unknown()).isCloseTo(2.5, within(1e-5));
        assertThat(all.of("a")).isCloseTo(0.75, within(1e-5));
        assertThat(all.of("b")).isCloseTo(2, within(1e-5));
    }

    @Test
    void theLowerLevelOfBothCountsForEachTenant() {
        TenantLevels one = TenantLevels.of(NOW, Map.of("a", NOW.plusSeconds(3), "b", NOW.plusSeconds(1)));
        TenantLevels other = TenantLevels.of(NOW.plusSeconds(2), Map.of("c", NOW.plusSeconds(4)));

        TenantLevels lower = one.lower(other);

        assertThat(lower)
                .isEqualTo(
                        TenantLevels.of(NOW.plusSeconds(2), Map.of("a", NOW.plusSeconds(3), "c", NOW.plusSeconds(4))));
    }

    @Test
    void tenantsForWhichUnitsAreFullAreForgotten() {
        UnusedUnits units = holding(1, 1, Map.of("a", 0.5, "b", 0.0));
        Instant later = NOW.plus(Duration.ofMinutes(45));

        assertThat(units.withoutFull(NOW, HOUR)).isEqualTo(units);
        assertThat(units.withoutFull(later, HOUR).levels().byTenant()).containsOnlyKeys("b");
    }
}

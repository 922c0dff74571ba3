package dev.duetime.engine.settle;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of the time that counts take of a turn, where each step takes a millisecond. */
class CountingTimeTest {
    private static final int TURN = 50;

    private long nanos;
    private final CountingTime time = new CountingTime(() -> nanos);
    private final Map<String, Integer> steps = new HashMap<>();

    /** Counts without end. */
    private void count(String tenantId) {
        Object result = time.spend(tenantId, mayGoOn -> step(tenantId, mayGoOn));
        if (result == null) {
            time.interrupted(tenantId);
        }
    }

    private @Nullable Object step(String tenantId, BooleanSupplier mayGoOn) {
        while (mayGoOn.getAsBoolean()) {
            nanos += Duration.ofMillis(1).toNanos();
            steps.merge(tenantId, 1, Integer::sum);
        }
        return null;
    }

    private void turn(String... tenantIds) {
        time.begin();
        steps.clear();
        for (String each : tenantIds) {
            count(each);
        }
    }

    @Test
    void oneTenantTakesTheTimeOfATurn() {
        turn("a", "a", "a");
        assertThat(steps).containsExactly(Map.entry("a", TURN));
        assertThat(time.isLeft("a")).isFalse();
        assertThat(time.isLeft("b")).isFalse();
        turn("a");
        assertThat(steps).containsExactly(Map.entry("a", TURN));
    }

    @Test
    void tenantsThatWaitShareTheTime() {
        turn("a", "b");
        turn("a", "b");
        assertThat(steps).containsOnly(Map.entry("a", TURN / 2), Map.entry("b", TURN / 2));
    }

    @Test
    void eachOfManyTenantsTakesAStep() {
        String[] tenants = IntStream.range(0, 200).mapToObj(i -> "t" + i).toArray(String[]::new);
        turn(tenants);
        assertThat(steps).hasSize(1);
        turn(tenants);
        assertThat(steps).hasSize(200);
        assertThat(steps.values()).containsOnly(1);
    }

    @Test
    void aTenantThatNoLongerWaitsLeavesItsShare() {
        turn("a", "b");
        turn("a");
        turn("a");
        assertThat(steps).containsExactly(Map.entry("a", TURN));
    }

    @Test
    void unlimitedTimeDoesNotEnd() {
        CountingTime unlimited = CountingTime.unlimited();
        unlimited.begin();
        assertThat(unlimited.isLeft("a")).isTrue();
        Integer result = unlimited.spend("a", mayGoOn -> (int)
                IntStream.range(0, 5_000).filter(i -> mayGoOn.getAsBoolean()).count());
        assertThat(result).isEqualTo(5_000);
    }
}

package dev.duetime.jdbc.engine;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that a timer is known by tenant and id, and a todo by tenant, queue and id, whatever they are made of and
 * whatever is done to others. A failure names the seed.
 */
class KeyModelTest {
    private static final int STEPS = 80;
    private static final int SEEDS = 6;
    private static final int MANY_STEPS = 300;

    @Test
    void theStoreAgreesWithAMap() {
        run(Database.H2, 1, STEPS);
    }

    /** {@code -Dduetime.keys.seed} sets the first seed. */
    @Tag("full")
    @ParameterizedTest
    @EnumSource
    void eachDatabaseAgreesWithAMap(Database kind) {
        long first = Long.getLong("duetime.keys.seed", 2);
        for (long seed = first; seed < first + SEEDS; seed++) {
            run(kind, seed, MANY_STEPS);
        }
    }

    private static void run(Database kind, long seed, int steps) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create());
                KeyModelRun run = new KeyModelRun(JdbcScheduleStore.of(pool), seed)) {
            run.run(steps);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Dduetime.keys.seed=" + seed + " on " + kind, e);
        }
    }
}

package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.StatementCounts;
import dev.duetime.store.ScheduleStore;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that reads of the console's pages follow an index in its order. */
class PlansOfViewsTest {

    /** A generic plan expects an average tenant. For equality it may read all timers of a large one, and sort them. */
    @Test
    void recurringTimersHaveTheirTenantAsARange() {
        assertThat(recurring("tenant", null)).contains("tenant_id >= ? AND tenant_id <= ?");
        assertThat(recurring("tenant", TimerKey.of("tenant", "1")))
                .contains("tenant_id <= ?")
                .doesNotContain("tenant_id >=", "tenant_id = ");
        assertThat(recurring("tenant", TimerKey.of("a", "1"))).contains("tenant_id = ?");
    }

    private static String recurring(String tenantId, @Nullable TimerKey after) {
        try (FreshDatabases databases = Database.POSTGRESQL.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            StatementCounts counts = new StatementCounts(pool);
            ScheduleStore store = JdbcScheduleStore.of(counts);
            counts.clear();
            store.admin().views().recurring(tenantId, after, 10);
            return counts.counts().keySet().stream()
                    .filter(text -> text.contains("recurrence IS NOT NULL"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** Otherwise it would hold the keys of all timers in memory. */
    @Test
    void aCountSortsNothingOnH2() {
        try (FreshDatabases databases = Database.H2.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            StatementCounts counts = new StatementCounts(pool);
            ScheduleStore store = JdbcScheduleStore.of(counts);
            for (TimerQuery each :
                    new TimerQuery[] {TimerQuery.all(), TimerQuery.all().tenantId("tenant")}) {
                counts.clear();
                store.admin().views().countUpTo(each, 100);
                String count = counts.counts().keySet().stream()
                        .filter(text -> text.contains("SELECT count(*) AS timers"))
                        .findFirst()
                        .orElseThrow();

                assertThat(JdbcPart.rows(pool, "EXPLAIN " + count.replaceAll("(?s)--.*?end|\\?", "'tenant'"))
                                .toString())
                        .contains("PRIMARY_KEY", "index sorted");
            }
        }
    }
}

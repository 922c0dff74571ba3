package dev.duetime.jdbc.contract;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.TimerKey;
import dev.duetime.hosts.HostSet;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.database.PostgresDatabases;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import dev.duetime.testkit.contract.HostsAsOneStore;
import dev.duetime.testkit.contract.ScheduleStoreContract;
import dev.duetime.testkit.fault.Damage;
import java.util.function.Function;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The contract of every store, on two PostgreSQL databases. {@code -Dduetime.hosts=true} runs it. The build runs it on
 * two stores in memory only.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "duetime.hosts", matches = "true")
@ExtendWith(HostSetScheduleStoreTest.AcrossHosts.class)
class HostSetScheduleStoreTest extends ScheduleStoreContract {
    private final PostgresDatabases databases = new PostgresDatabases();
    private final HikariDataSource a = FreshDatabases.pool(databases.createDatabase());
    private final HikariDataSource b = FreshDatabases.pool(databases.createDatabase());
    private final ScheduleStore storeA = JdbcScheduleStore.of(a);
    private final HostSet hosts = HostSet.builder()
            .host("a", storeA)
            .host("b", JdbcScheduleStore.of(b))
            .lookEverywhere()
            .build();
    private final ScheduleStore store = new HostsAsOneStore(hosts);

    @AfterAll
    void close() {
        a.close();
        b.close();
        databases.close();
    }

    @Override
    protected ScheduleStore store() {
        return store;
    }

    @Override
    protected <R> R inTransaction(boolean commit, Function<Transaction, R> work) {
        try (OwnTransaction transaction = hosts.begin()) {
            R result = work.apply(transaction.transaction());
            if (commit) {
                transaction.commit();
            }
            return result;
        }
    }

    @Override
    protected void damage(TimerKey key, Damage damage) {
        HikariDataSource standing = storeA.find(key).isPresent() ? a : b;
        JdbcScheduleStoreContract.damage(standing, key, damage);
    }

    /**
     * A filter that leaves out the tests of what a store of several databases does not promise, each with its reason.
     */
    static final class AcrossHosts implements ExecutionCondition {
        @Override
        public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
            return context.getTestMethod()
                    .filter(method -> method.getName().equals("aBatchBecomesVisibleAtOnce"))
                    .map(method -> ConditionEvaluationResult.disabled("each host commits by itself"))
                    .orElse(ConditionEvaluationResult.enabled("promised"));
        }
    }
}

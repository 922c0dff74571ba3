package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.database.Database;
import dev.duetime.store.CollisionException;
import java.sql.SQLException;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that a node gets, renews and releases leases although another transaction holds the row of one, and never
 * waits for that row without a limit.
 */
@Execution(ExecutionMode.CONCURRENT)
class HeldLeaseRowsTest extends HeldRowKit {
    /** A row that others wrote by hand must not block the loops. */
    @ParameterizedTest
    @EnumSource
    void aShardWithTheLastEpochKeepsNoOtherFromItsNode(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            store.leases().open("queue", OptionalInt.of(3));
            holder.execute("UPDATE timer_shards SET epoch = 9223372036854775807 WHERE shard = 1");
            holder.getConnection().commit();

            assertThat(store.leases().acquire("queue", List.of(0, 1, 2), "node", NOW, LATER))
                    .isEqualTo(Set.of(0, 1, 2));
            store.leases().letGo();
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void leasesAreAcquiredRenewedAndReleasedBesideAHeldOne(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            store.leases().open("queue", OptionalInt.of(4));
            holder.execute("UPDATE timer_shards SET epoch = epoch + 1 WHERE queue = 'queue' AND shard = 1");

            assertThat(ended(() -> store.leases().acquire("queue", List.of(0, 1, 2, 3), "node", NOW, LATER)))
                    .isEqualTo(Set.of(0, 2, 3));
            holder.getConnection().rollback();
            assertThat(store.leases().acquire("queue", List.of(1), "node", NOW, LATER))
                    .isEqualTo(Set.of(1));

            holder.execute("UPDATE timer_shards SET epoch = epoch + 1 WHERE queue = 'queue' AND shard = 2");
            assertThat(ended(() -> store.leases().renew("node", LATER.plusSeconds(1))))
                    .isEqualTo(3);
            ended(() -> {
                store.leases().release("queue", List.of(0, 1, 2, 3), "node");
                return true;
            });
            holder.getConnection().rollback();
            assertThat(store.leases().view("queue").leases())
                    .filteredOn(lease -> lease.owner() != null)
                    .singleElement()
                    .satisfies(lease -> assertThat(lease.shard()).isEqualTo(2))
                    .satisfies(lease -> assertThat(lease.until()).isEqualTo(LATER));
            store.leases().letGo();
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldAnnouncementKeepsNoShardFromItsNode(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            store.leases().open("queue", OptionalInt.of(2));
            store.leases().acquire("queue", List.of(), "node", NOW, LATER);
            holder.execute("UPDATE timer_nodes SET alive_until = 1 WHERE queue = 'queue' AND node = 'node'");

            assertThat(ended(() -> store.leases().acquire("queue", List.of(0, 1), "node", NOW, LATER)))
                    .isEqualTo(Set.of(0, 1));
            ended(() -> {
                store.leases().release("queue", List.of(0), "node");
                return true;
            });
            assertThat(store.leases().free()).containsExactly("queue");
            store.leases().letGo();
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aQueueThatAnotherTransactionDeclaresIsWaitedForBriefly(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            holder.execute("INSERT INTO timer_shards (queue, shard, epoch) VALUES ('new', 0, 0)");

            assertThat(failure(() -> store.leases().open("new", OptionalInt.of(2))))
                    .isInstanceOf(CollisionException.class);

            holder.getConnection().rollback();
            assertThat(store.leases().open("new", OptionalInt.of(2))).isEqualTo(2);
        });
    }
}

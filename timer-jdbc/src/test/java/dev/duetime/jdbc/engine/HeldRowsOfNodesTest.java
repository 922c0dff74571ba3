package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.Occurrence;
import dev.duetime.jdbc.database.Database;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Permits.Change;
import dev.duetime.store.Permits.Limit;
import dev.duetime.store.Permits.Share;
import dev.duetime.store.WakeUp;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that what nodes write for each other never waits without a limit for a held row, such as one of a node that
 * was suspended while it wrote. SQLite has only one writer, so it has no such rows.
 */
@Execution(ExecutionMode.CONCURRENT)
class HeldRowsOfNodesTest extends HeldRowKit {

    private static Change change(String queue, long version) {
        Share share = new Share("node", 1, 1, 5, 0, NOW, LATER);
        return new Change(new Limit(queue, "concurrency"), version, NOW, share, Set.of());
    }

    private static WakeUp hint(String queue) {
        return new WakeUp(queue, Set.of(), NOW);
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldLimitIsWaitedForBriefly(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            assertThat(store.permits().change(List.of(change("a", 0), change("b", 0))))
                    .hasSize(2);
            holder.execute("UPDATE timer_permits SET since_at = 1 WHERE queue = 'a' AND node = ''");

            assertThat(failure(() -> store.permits().change(List.of(change("a", 1)))))
                    .isInstanceOf(CollisionException.class);
            assertThat(ended(() -> store.permits().change(List.of(change("b", 1)))))
                    .hasSize(1);

            holder.getConnection().rollback();
            assertThat(store.permits().change(List.of(change("a", 1)))).hasSize(1);
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldHintIsWaitedForBriefly(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            store.wakeUps().send(List.of(hint("a"), hint("b")));
            holder.execute("UPDATE timer_hints SET due_at = 1 WHERE queue = 'a'");

            assertThat(failure(() -> {
                        store.wakeUps().send(List.of(hint("a")));
                        return true;
                    }))
                    .isInstanceOf(CollisionException.class);
            ended(() -> {
                store.wakeUps().send(List.of(hint("b")));
                return true;
            });

            holder.getConnection().rollback();
            store.wakeUps().send(List.of(hint("a")));
            assertThat(store.wakeUps().sent()).extracting(sent -> sent.count()).containsExactly(2L, 2L);
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldOccurrenceIsWaitedForBriefly(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            List<Occurrence> occurrences = List.of(
                    new Occurrence(TimerKey.of("tenant", "tick"), NOW, Occurrence.Outcome.DELIVERED, LATER, 1, null));
            store.admin().putOccurrences(occurrences);
            holder.execute("UPDATE timer_occurrences SET attempts = 7");

            assertThat(failure(() -> {
                        store.admin().putOccurrences(occurrences);
                        return true;
                    }))
                    .isInstanceOf(CollisionException.class);
            assertThat(failure(() -> {
                        store.admin().forgetOccurrences(LATER.plusSeconds(1), 10);
                        return true;
                    }))
                    .isInstanceOf(CollisionException.class);
        });
    }

    @ParameterizedTest
    @EnumSource(names = "SQLITE", mode = EnumSource.Mode.EXCLUDE)
    void aHeldSampleIsWaitedForBriefly(Database kind) throws SQLException {
        with(kind, (store, pool, holder) -> {
            List<NodeSample> samples = List.of(new NodeSample("queue", "node", NOW, 0, List.of(), List.of()));
            store.admin().putSamples(samples);
            holder.execute("UPDATE timer_samples SET in_delivery = 7");

            assertThat(failure(() -> {
                        store.admin().putSamples(samples);
                        return true;
                    }))
                    .isInstanceOf(CollisionException.class);
            assertThat(failure(() -> {
                        store.admin().forgetSamples(NOW.plus(Duration.ofDays(1)));
                        return true;
                    }))
                    .isInstanceOf(CollisionException.class);
        });
    }
}

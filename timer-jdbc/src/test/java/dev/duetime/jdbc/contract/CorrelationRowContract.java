package dev.duetime.jdbc.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.store.NewTimer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests of what rows of correlation keys contain, and how people can read them. */
abstract class CorrelationRowContract extends JdbcPart {

    CorrelationRowContract(JdbcScheduleStoreContract database) {
        super(database);
    }

    /** Schedules todos, of which every fourth has one of 100 correlation keys. */
    static void fill(JdbcScheduleStore store, String queue, int count) {
        List<NewTimer> todos = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            todos.add(todo(TimerKey.of(queue, "t" + i), queue, i % 4 == 0 ? "key-" + i / 4 % 100 : null));
        }
        store.schedule(todos);
    }

    static NewTimer todo(TimerKey key, String queue, @Nullable String correlationKey) {
        TimerContent content = new TimerContent(
                queue, NOW, null, "test", Payload.NONE, Map.of(), 0, null, null, correlationKey, null, null, "one");
        return new NewTimer(key, 0, content, ThreadLocalRandom.current().nextLong(1L << 62), NOW, false);
    }

    @Test
    void theReadableViewShowsStepAndStart() {
        NewTimer todo = todo(key("a"), queue, "key");
        store().schedule(List.of(todo));
        String readable = "SELECT step, started_at FROM timer_schedules_readable WHERE tenant_id = '" + tenant + "'";
        assertThat(query(database.dataSource(), readable)).containsExactly("one", "null");

        store().start(todo.key(), todo.generation(), NOW);

        assertThat(query(database.dataSource(), readable).get(1))
                .contains("2031-05-06")
                .contains("08:09.123");
    }

    @Test
    void aQueueHasAtMostSixtyFourSlots() {
        store().correlated()
                .lock(queue, IntStream.range(0, 5_000).mapToObj(i -> "key-" + i).toList());
        store().correlated().lock(queue, List.of("key-1", "key-1", "key-1"));

        String slots = "SELECT count(*), min(slot), max(slot), min(turn), max(turn), sum(turn) FROM timer_merge_slots"
                + " WHERE queue = '" + queue + "'";
        assertThat(query(database.dataSource(), slots)).containsExactly("64", "0", "63", "1", "2", "65");
    }

    /** Nodes that computed different slots would not exclude each other. */
    @Test
    void aKeyKeepsItsSlotInAllVersions() {
        store().correlated().lock(queue, List.of("order-17"));

        String slots = "SELECT slot FROM timer_merge_slots WHERE queue = '" + queue + "'";
        assertThat(query(database.dataSource(), slots)).containsExactly("20");
    }

    @Test
    void aTimerWithoutTheKeyIsIgnored() {
        fill(store(), queue, 8);

        assertThat(store().correlated().waiting(queue, queue, "key-1", "test"))
                .map(StoredTimer::key)
                .contains(TimerKey.of(queue, "t4"));
        assertThat(store().correlated().waiting(queue, queue, "key-2", "test")).isEmpty();
    }
}

package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.CountingDataSource;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.store.ListItem;
import dev.duetime.store.ListKey;
import dev.duetime.store.ListStore;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A measurement of what a tick costs on a list with many pending items. {@code -Dduetime.todo.items=1000000} runs it,
 * and {@code -Dduetime.todo.database=H2} restricts it to one database. It prints a table for docs/passage-of-time.md.
 */
@EnabledIfSystemProperty(named = "duetime.todo.items", matches = "[1-9]\\d*")
class ManyTodosTest {
    private static final String LIST = "many";
    private static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");
    private static final Instant LAST = NOW.plus(Duration.ofDays(30));
    private static final int BATCH = 10_000;
    private static final int PAGE = 100;

    private final Random random = new Random(1);

    @ParameterizedTest
    @EnumSource
    void aTickWithoutOverdueItemsCostsTheSameForAnyListSize(Database kind, @TempDir Path folder) {
        if (!System.getProperty("duetime.todo.database", kind.name()).equals(kind.name())) {
            return;
        }
        int items = Integer.getInteger("duetime.todo.items");
        try (FreshDatabases databases = kind == Database.H2 ? kind.beside("jdbc:h2:" + folder + "/many") : kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            CountingDataSource counted = new CountingDataSource(pool);
            ListStore todos = JdbcScheduleStore.of(counted).todos();

            String ten = probe(todos, 10);
            long begun = System.nanoTime();
            fill(todos, items - 10);
            double filled = (System.nanoTime() - begun) / 1e9;
            int before = counted.connections();
            assertThat(todos.overdue(LIST, NOW, null, PAGE)).isEmpty();
            assertThat(counted.connections() - before).isOne();
            String many = micros(() -> todos.overdue(LIST, NOW, null, PAGE), 0);

            List<ListItem> overdue = put(todos, PAGE, NOW.minusSeconds(60), Duration.ofSeconds(30));
            String page = micros(() -> todos.overdue(LIST, NOW, null, PAGE), PAGE);
            ListItem middle = new ListItem(new ListKey(LIST, "x"), NOW.plus(Duration.ofDays(15)));
            String inTheMidst = micros(() -> todos.overdue(LIST, LAST, middle, PAGE), PAGE);
            String first = micros(() -> todos.overdue(LIST, LAST, null, PAGE), PAGE);
            assertThat(todos.overdue(LIST, NOW, null, PAGE)).hasSameElementsAs(overdue);

            System.out.printf(
                    "%s | nothing overdue of 10: %s | nothing overdue of %,d: %s | 100 overdue of these: %s"
                            + " | all overdue, first page: %s | all overdue, a page in the midst: %s | filled in %.0f s%n",
                    kind, ten, items, many, page, first, inTheMidst, filled);
        }
    }

    private String probe(ListStore todos, int pending) {
        fill(todos, pending);
        return micros(() -> todos.overdue(LIST, NOW, null, PAGE), 0);
    }

    private void fill(ListStore todos, int items) {
        for (int left = items; left > 0; left -= BATCH) {
            put(todos, Math.min(left, BATCH), NOW.plusSeconds(1), Duration.between(NOW, LAST));
        }
    }

    private List<ListItem> put(ListStore todos, int items, Instant from, Duration spread) {
        List<ListItem> put = new ArrayList<>();
        for (int i = 0; i < items; i++) {
            Instant overdueAt = from.plusSeconds((long) (random.nextDouble() * spread.toSeconds()));
            put.add(new ListItem(
                    new ListKey(LIST, new UUID(random.nextLong(), random.nextLong()).toString()), overdueAt));
        }
        todos.put(put);
        return put;
    }

    /** Returns the median and the 99th percentile of a thousand reads, after a thousand reads to warm up. */
    private static String micros(Supplier<@Nullable List<ListItem>> read, int size) {
        long[] nanos = new long[1_000];
        for (int i = -nanos.length; i < nanos.length; i++) {
            long begun = System.nanoTime();
            assertThat(read.get()).hasSize(size);
            if (i >= 0) {
                nanos[i] = System.nanoTime() - begun;
            }
        }
        Arrays.sort(nanos);
        return "%,d µs (99 %%: %,d)".formatted(nanos[500] / 1_000, nanos[990] / 1_000);
    }
}

package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.jdbc.engine.TickingNodes.Told;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that real processes deliver the event of each second once, although they are killed. */
@Tag("full")
class KilledNodesTest {

    private static final ExecutorService THREADS = Executors.newCachedThreadPool();
    private static final Map<Database, Future<?>> TRIALS = new EnumMap<>(Database.class);

    @TempDir
    static Path folder;

    /** The databases run in parallel, because most of the time is spent on waiting. */
    @BeforeAll
    static void begin() {
        for (Database each : Database.values()) {
            Path logs = folder.resolve(each.name());
            TRIALS.put(each, THREADS.submit(() -> trial(each, Files.createDirectory(logs))));
        }
    }

    @AfterAll
    static void end() {
        THREADS.shutdownNow();
    }

    @ParameterizedTest
    @EnumSource
    void killedNodesLoseNoSecondAndRepeatsAreEqual(Database kind) throws Throwable {
        try {
            Objects.requireNonNull(TRIALS.get(kind)).get();
        } catch (ExecutionException e) {
            throw Objects.requireNonNull(e.getCause());
        }
    }

    private static @Nullable Void trial(Database kind, Path folder) throws Exception {
        // A file of H2 belongs to one process at a time.
        int number = kind == Database.H2 ? 1 : 2;
        try (FreshDatabases databases =
                        kind == Database.H2 ? kind.beside("jdbc:h2:" + folder + "/ticks") : kind.open();
                TickingNodes nodes = new TickingNodes(migrated(databases.create()), folder)) {
            nodes.start(number);
            nodes.awaitSeconds(1);

            // The node dies after it got an event, and before it logs it. Then no node runs for some seconds.
            String repeated = last(nodes, nodes.standStill(TickingProcess.STAND_STILL_AFTER));
            nodes.killAll();
            nodes.start(number);
            nodes.awaitSeconds(1);

            // The node dies when an event is due, and before it gets it. The other node takes over.
            nodes.kill(nodes.standStill(TickingProcess.STAND_STILL_BEFORE));
            if (number == 1) {
                nodes.start(number);
            }
            nodes.awaitSeconds(1);

            List<Told> all = nodes.told(TickingProcess.ALL);
            List<Told> latest = nodes.told(TickingProcess.LATEST);
            assertThat(repeats(all)).containsExactly(repeated);
            assertThat(repeats(latest)).hasSizeLessThanOrEqualTo(2);
            assertThat(gaps(tellEachOnceAndInOrder(all))).isEmpty();
            assertThat(gaps(tellEachOnceAndInOrder(latest))).isNotEmpty();
            return null;
        }
    }

    private static String migrated(String url) {
        try (HikariDataSource pool = FreshDatabases.pool(url)) {
            JdbcScheduleStore.of(pool);
            return url;
        }
    }

    private static String last(TickingNodes nodes, String node) throws Exception {
        return nodes.told(TickingProcess.ALL).stream()
                .filter(each -> each.node().equals(node))
                .reduce((first, second) -> second)
                .orElseThrow()
                .id();
    }

    /** Returns the ids of events that were delivered more than once. */
    private static Set<String> repeats(List<Told> told) {
        Set<String> seen = new TreeSet<>();
        return told.stream().map(Told::id).filter(each -> !seen.add(each)).collect(Collectors.toSet());
    }

    /** Checks that all events of one second are equal, whichever node got them, and name the second before. */
    private static List<Told> tellEachOnceAndInOrder(List<Told> told) {
        List<Told> distinct = told.stream()
                .map(each -> new Told("any", each.subscription(), each.id(), each.now(), each.previous()))
                .distinct()
                .toList();
        for (int i = 0; i < distinct.size(); i++) {
            assertThat(distinct.get(i).previous())
                    .isEqualTo(i == 0 ? "null" : distinct.get(i - 1).now());
        }
        assertThat(distinct.stream().map(Told::now)).doesNotHaveDuplicates();
        assertThat(distinct.stream().map(Told::id)).doesNotHaveDuplicates();
        assertThat(distinct.stream().map(Told::at)).isSorted();
        return distinct;
    }

    /** Returns the seconds without an event for the second before. */
    private static List<Instant> gaps(List<Told> inOrder) {
        return inOrder.stream()
                .skip(1)
                .filter(each -> Duration.between(Instant.parse(each.previous()), each.at())
                                .compareTo(Duration.ofSeconds(1))
                        > 0)
                .map(Told::at)
                .toList();
    }
}

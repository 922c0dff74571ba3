package dev.duetime.jdbc.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.database.Database;
import dev.duetime.jdbc.database.FreshDatabases;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The rule that the SQL of docs/operations.md gives a queue another number of shards and loses no timer. */
class ChangedShardsTest {
    private static final int TIMERS = 20;
    private static final Duration SOON = Duration.ofSeconds(5);
    private static final Pattern SQL =
            Pattern.compile("### Another number of shards.*?```sql\\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @EnumSource
    void aQueueGetsFewerShardsAndEachKeyStaysInOne(Database kind) {
        changed(kind, 64, 4, statements());
    }

    @ParameterizedTest
    @EnumSource
    void aQueueGetsMoreShards(Database kind) {
        changed(kind, 4, 64, statements().subList(0, 1));
    }

    private static void changed(Database kind, int before, int after, List<String> statements) {
        try (FreshDatabases databases = kind.open();
                HikariDataSource pool = FreshDatabases.pool(databases.create())) {
            JdbcScheduleStore store = JdbcScheduleStore.of(pool);
            InMemoryPublisher mails = new InMemoryPublisher();
            try (TimerKit kit = kit(store, before, mails)) {
                schedule(kit, "before");
            }
            assertThat(shards(store, "mails")).isEqualTo(before);

            statements.forEach(statement -> JdbcPart.execute(pool, statement));

            try (TimerKit kit = kit(store, after, mails)) {
                assertThat(shards(store, "mails")).isEqualTo(after);
                assertThat(shards(store, "default")).isEqualTo(before);
                schedule(kit, "after");
                if (after < before) {
                    assertThat(placed(store, "before")).isEqualTo(placed(store, "after"));
                }
                kit.advance(SOON);

                assertThat(mails.delivered())
                        .extracting(each -> each.key().timerId())
                        .containsExactlyInAnyOrderElementsOf(ids("before", "after"));
            }
        }
    }

    private static TimerKit kit(JdbcScheduleStore store, int shards, InMemoryPublisher mails) {
        return TimerKit.builder()
                .store(store)
                .configure(builder -> builder.shards(shards).queue("mails", queue -> queue.publisher(mails)))
                .build();
    }

    /** Each timer has a parallel key, which timers of the other prefix have, too. */
    private static void schedule(TimerKit kit, String prefix) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, TIMERS)
                        .mapToObj(i -> Timer.after(prefix + "-" + i, SOON)
                                .queue("mails")
                                .parallelKey("key-" + i)
                                .build())
                        .toList());
    }

    private static List<String> ids(String... prefixes) {
        return Stream.of(prefixes)
                .flatMap(prefix -> IntStream.range(0, TIMERS).mapToObj(i -> prefix + "-" + i))
                .toList();
    }

    private static List<Integer> placed(JdbcScheduleStore store, String prefix) {
        return ids(prefix).stream()
                .map(id -> store.find(TimerKey.of(id)).orElseThrow().shard())
                .toList();
    }

    private static int shards(JdbcScheduleStore store, String queue) {
        return store.leases().view(queue).leases().size();
    }

    /** Returns the statements of the page: one that forgets the shards, one that moves the timers. */
    private static List<String> statements() {
        try {
            Matcher sql = SQL.matcher(Files.readString(Path.of("../docs/operations.md")));
            assertThat(sql.find()).isTrue();
            return Stream.of(sql.group(1).split(";"))
                    .map(String::strip)
                    .filter(statement -> !statement.isEmpty())
                    .toList();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

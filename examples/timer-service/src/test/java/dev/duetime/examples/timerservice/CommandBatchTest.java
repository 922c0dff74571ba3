package dev.duetime.examples.timerservice;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.jdbc.JdbcScheduleStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.nats.client.Message;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests of how a command is answered that fails, on H2 in memory and without a broker. */
class CommandBatchTest {
    private static final String AGAIN = " " + CommandBatch.AGAIN_AFTER;

    private final BreakableDataSource database = new BreakableDataSource("jdbc:h2:mem:" + UUID.randomUUID());
    private final Scheduler scheduler = Scheduler.builder()
            .store(JdbcScheduleStore.builder(database)
                    .lockTimeout(Duration.ofMillis(10))
                    .build())
            .publisher(batch -> {})
            .build();
    private final AtomicLong nanos = new AtomicLong();
    private final CommandBatch batch =
            new CommandBatch(scheduler, new ServiceMeters(new SimpleMeterRegistry()), nanos::get);
    private final List<String> answers = new ArrayList<>();

    @AfterEach
    void close() {
        scheduler.close();
        database.close();
    }

    @Test
    void aCommandWhoseRowIsHeldIsNeverGivenUp() throws SQLException {
        take(1, "held");
        try (Connection holder = hold("held")) {
            for (int delivery = 1; delivery <= 3 * CommandBatch.MOST_REFUSALS; delivery++) {
                take(delivery, "held");
            }
            holder.rollback();
        }
        take(99, "held");

        assertThat(answers)
                .doesNotContain("held term")
                .containsSubsequence("held PT0.5S", "held PT1.5S", "held PT3.5S", "held PT7.5S", "held PT7.5S")
                .endsWith("held ack");
    }

    @Test
    void deliveriesDuringAnOutageAreNoFailuresOfTheCommand() throws SQLException {
        refuse("refused");
        database.broken = true;
        for (int delivery = 1; delivery <= 2 * CommandBatch.MOST_REFUSALS; delivery++) {
            assertThat(take(delivery, "refused")).isFalse();
        }
        database.broken = false;
        answers.clear();
        for (int refusal = 1; refusal <= CommandBatch.MOST_REFUSALS; refusal++) {
            take(2 * CommandBatch.MOST_REFUSALS + refusal, "refused");
        }

        assertThat(answers).hasSize(CommandBatch.MOST_REFUSALS).endsWith("refused term");
        assertThat(answers.subList(0, CommandBatch.MOST_REFUSALS - 1)).containsOnly("refused" + AGAIN);
    }

    @Test
    void aFailedCommandIsTriedAgainAfterAllOthers() throws SQLException {
        take(1, "held");
        answers.clear();
        try (Connection holder = hold("held")) {
            take(2, "held", "a");
            answers.clear();

            take(3, "held", "b", "c");

            assertThat(answers).containsExactly("b ack", "c ack", "held PT1.5S");
            holder.rollback();
        }
    }

    @Test
    void commandsComeAgainIfThoseBeforeThemWaitedTooLong() throws SQLException {
        refuse("refused");
        List<Message> messages = new ArrayList<>(messages(1, "a", "refused"));
        messages.add(new SentCommand("slow", 98, 1, answers) {
            @Override
            public void ack() {
                super.ack();
                nanos.addAndGet(Duration.ofSeconds(6).toNanos());
            }
        });
        messages.addAll(messages(1, "c", "d"));

        assertThat(batch.take(messages)).isTrue();

        assertThat(answers).containsExactly("a ack", "refused" + AGAIN, "slow ack", "c" + AGAIN, "d" + AGAIN);
        answers.clear();
        take(2, "c", "d");
        assertThat(answers).containsExactly("c ack", "d ack");
    }

    @Test
    void anErrorOfOneCommandAffectsNoOther() {
        for (Error error : List.of(new LinkageError("a test"), new ExceptionInInitializerError("a test"))) {
            List<Message> messages = new ArrayList<>(messages(1, "a"));
            messages.add(new SentCommand("erring", 50, 1, answers) {
                @Override
                public byte[] getData() {
                    throw error;
                }
            });
            messages.addAll(messages(1, "b"));
            answers.clear();

            assertThat(batch.take(messages)).isTrue();

            assertThat(answers).filteredOn(each -> each.startsWith("erring PT")).hasSize(1);
            assertThat(answers).contains("a ack", "b ack");
        }
    }

    /** Commands of one name have the same place in the stream. */
    private List<Message> messages(int deliveries, String... names) {
        return IntStream.range(0, names.length)
                .<Message>mapToObj(i -> new SentCommand(names[i], names[i].hashCode(), deliveries, answers))
                .toList();
    }

    private boolean take(int deliveries, String... names) {
        return batch.take(messages(deliveries, names));
    }

    private void refuse(String timerId) throws SQLException {
        execute("ALTER TABLE timer_schedules ADD CONSTRAINT not_this_one CHECK (timer_id <> '" + timerId + "')");
    }

    /** Returns the connection that holds the row, in a transaction. */
    private Connection hold(String timerId) throws SQLException {
        Connection holder = database.getConnection();
        holder.setAutoCommit(false);
        try (Statement statement = holder.createStatement()) {
            statement.execute("SELECT 1 FROM timer_schedules WHERE timer_id = '" + timerId + "' FOR UPDATE");
        }
        return holder;
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}

package dev.duetime.examples.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Envelope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class InboxTest {
    private final HikariDataSource database = new HikariDataSource();
    private Inbox inbox;

    @BeforeEach
    void open() throws SQLException {
        database.setJdbcUrl("jdbc:h2:mem:inbox");
        inbox = new Inbox(database);
        inbox.once("tables", connection -> execute(connection, "CREATE TABLE cancelled (order_id INT)"));
    }

    @AfterEach
    void close() {
        database.close();
    }

    @Test
    void aMessageThatComesTwiceIsHandledOnce() throws SQLException {
        String body = RabbitPublisherTest.envelope("id-1", "payment-timeout").toJson();

        Envelope envelope = Envelope.fromJson(body);
        boolean first = inbox.once(envelope.id(), connection -> cancelOrder(connection, 17));

        assertThat(first).isTrue();
        assertThat(inbox.once("id-1", connection -> cancelOrder(connection, 17)))
                .isFalse();
        assertThat(inbox.once("id-2", connection -> cancelOrder(connection, 18)))
                .isTrue();

        assertThat(cancelled()).isEqualTo(2);
    }

    @Test
    void theTableIsTheOneThatThePageShows() throws Exception {
        Matcher sql = Pattern.compile("```sql\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../../docs/publishers.md")));
        assertThat(sql.find()).isTrue();
        try (Connection connection = database.getConnection()) {
            execute(connection, "DROP TABLE inbox");
            execute(connection, sql.group(1));
        }

        assertThat(new Inbox(database).once("x".repeat(36), connection -> cancelOrder(connection, 17)))
                .isTrue();
        assertThat(sql.group(1).strip().replace("TABLE", "TABLE IF NOT EXISTS").replace(";", ""))
                .isEqualTo(Inbox.TABLE);
    }

    @Test
    void workThatFailsIsDoneWhenTheMessageComesAgain() throws SQLException {
        assertThatThrownBy(() -> inbox.once("id-1", connection -> {
                    cancelOrder(connection, 17);
                    throw new SQLException("no more space", "53100");
                }))
                .isInstanceOf(SQLException.class);
        assertThat(cancelled()).isZero();

        assertThat(inbox.once("id-1", connection -> cancelOrder(connection, 17)))
                .isTrue();
        assertThat(cancelled()).isEqualTo(1);
    }

    @Test
    void onlyOneOfTwoRacingConsumersHandlesAMessage() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        for (Future<Boolean> each : threads.invokeAll(IntStream.range(0, 16)
                .mapToObj(i ->
                        (Callable<Boolean>) () -> inbox.once("id-" + i / 4, connection -> cancelOrder(connection, 17)))
                .toList())) {
            each.get();
        }
        threads.shutdown();

        assertThat(cancelled()).isEqualTo(4);
    }

    private static void cancelOrder(Connection connection, int order) throws SQLException {
        execute(connection, "INSERT INTO cancelled (order_id) VALUES (" + order + ")");
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private int cancelled() throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet count = statement.executeQuery("SELECT count(*) FROM cancelled")) {
            count.next();
            return count.getInt(1);
        }
    }
}

package dev.duetime.examples.takeorder;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.SchedulerBuilder;
import dev.duetime.examples.takeorder.Faults.Moment;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;

/** The whole shop in virtual time, on a database in memory. */
final class ShopKit implements AutoCloseable {
    private static final Duration REST = Duration.ofHours(1);

    final RecordingOutside outside = new RecordingOutside();

    /** Each run of a step, as it begins. */
    final List<String> ran = new ArrayList<>();

    final TimerKit kit;
    final Shop shop;
    private final HikariDataSource database = new HikariDataSource();

    /** Opens a shop in which no node is crashed, so that virtual hours pass faster. */
    static ShopKit forHours() throws SQLException {
        return new ShopKit(
                Faults.none(), scheduler -> scheduler.pollInterval(REST).leaseDuration(REST));
    }

    ShopKit(Faults faults) throws SQLException {
        this(faults, scheduler -> {});
    }

    private ShopKit(Faults faults, Consumer<SchedulerBuilder> settings) throws SQLException {
        database.setJdbcUrl("jdbc:h2:mem:" + UUID.randomUUID());
        try (Connection connection = database.getConnection()) {
            Tables.create(connection);
        }
        shop = new Shop(
                outside,
                (orderId, step, attempt, moment) -> strike(faults, orderId, step, attempt, moment),
                Times.REAL);
        kit = TimerKit.builder()
                .store(JdbcScheduleStore.of(database))
                .configure(shop::addTo)
                .configure(settings)
                .build();
    }

    private void strike(Faults faults, String orderId, String step, int attempt, Moment moment) throws IOException {
        if (moment == Moment.BEGIN) {
            ran.add(step);
        }
        faults.strike(orderId, step, attempt, moment);
    }

    static Order order(String id) {
        return Order.of(id, "customer-1", "vendor-1", 999);
    }

    Waiting waiting() {
        return new Waiting(kit.store());
    }

    /** Returns the rows of a query, each with its columns. */
    List<String> query(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            return query(connection, sql);
        }
    }

    static List<String> query(Connection connection, String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (PreparedStatement statement = connection.prepareStatement(sql);
                ResultSet rows = statement.executeQuery()) {
            while (rows.next()) {
                List<String> columns = new ArrayList<>();
                for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                    columns.add(rows.getString(i));
                }
                found.add(String.join(" ", columns));
            }
        }
        return found;
    }

    @Override
    public void close() {
        kit.close();
        database.close();
    }
}

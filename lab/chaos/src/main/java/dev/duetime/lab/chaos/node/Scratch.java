package dev.duetime.lab.chaos.node;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.lab.chaos.log.Entry;
import dev.duetime.lab.chaos.server.Product;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The part of a database that one trial uses, seen from outside: by SQL, without the library. Thread-safe. */
public final class Scratch implements AutoCloseable {
    private static final long NO_ANSWER_MILLIS = 3_000;
    /** A writer schedules the held key after this number of other schedules. */
    private static final int AHEAD = 4;

    /** The first of January, in microseconds. */
    private static final long IN_2030 = 1_893_456_000_000_000L;

    private static final long BUSY_SERVER_MILLIS = 20_000;

    private final String name =
            "duetime_test_chaos_" + UUID.randomUUID().toString().substring(0, 8);
    private final Product product;
    private final HikariDataSource pool;
    private final HikariDataSource own;
    private final String url;

    public Scratch(String serverUrl) throws SQLException {
        product = Product.of(serverUrl);
        url = product.in(serverUrl, name);
        pool = pool(serverUrl, 1, BUSY_SERVER_MILLIS);
        execute(pool, product.create(name));
        own = pool(url, 3, NO_ANSWER_MILLIS);
    }

    public static HikariDataSource pool(String url, int size, long timeoutMillis) {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setMaximumPoolSize(size);
        config.setMinimumIdle(1);
        config.setConnectionTimeout(timeoutMillis);
        config.setInitializationFailTimeout(-1);
        return new HikariDataSource(config);
    }

    public String url() {
        return url;
    }

    /** Returns name and version of the database. */
    public String version() throws SQLException {
        try (Connection connection = own.getConnection()) {
            return connection.getMetaData().getDatabaseProductName() + " "
                    + connection.getMetaData().getDatabaseProductVersion();
        }
    }

    /** Returns which node owns which shard, without the part that tells the processes of a node apart. */
    Map<Integer, String> owners() throws SQLException {
        Map<Integer, String> owners = new TreeMap<>();
        query("SELECT shard, owner FROM timer_shards", row -> {
            String owner = row.getString(2);
            owners.put(row.getInt(1), owner == null ? Entry.ALL : owner.replaceFirst("-[0-9a-f]{8}$", ""));
        });
        return owners;
    }

    /** Returns how many timers are still scheduled. */
    public int pending() throws SQLException {
        int[] count = new int[1];
        query("SELECT count(*) FROM timer_schedules WHERE state = 'SCHEDULED'", row -> count[0] = row.getInt(1));
        return count[0];
    }

    /** Returns the shard of each key. */
    public List<Entry.Placed> placed() throws SQLException {
        List<Entry.Placed> placed = new ArrayList<>();
        query(
                "SELECT timer_id, shard FROM timer_schedules",
                row -> placed.add(new Entry.Placed(row.getString(1), row.getInt(2))));
        return placed;
    }

    /** Returns the server's processes that serve the trial. */
    public List<Long> backends() throws SQLException {
        List<Long> backends = new ArrayList<>();
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(product.backends())) {
            statement.setString(1, name);
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    backends.add(rows.getLong(1));
                }
            }
        }
        return backends;
    }

    /** Returns how many timers are dead. */
    public int dead() throws SQLException {
        int[] count = new int[1];
        query("SELECT count(*) FROM timer_schedules WHERE state = 'DEAD'", row -> count[0] = row.getInt(1));
        return count[0];
    }

    /** Lets the leases of a node end years from now, as a wrong clock does. */
    public int prolongLeases(String node) throws SQLException {
        try (Connection connection = own.getConnection();
                PreparedStatement statement =
                        connection.prepareStatement("UPDATE timer_shards SET lease_until = ? WHERE owner LIKE ?")) {
            statement.setLong(1, IN_2030);
            statement.setString(2, node + "-%");
            return statement.executeUpdate();
        }
    }

    /**
     * Holds the rows of the timers that are due soonest, and a key that a writer will schedule soon, until the
     * connection is rolled back and closed.
     */
    public Connection hold(int rows) throws SQLException {
        List<String> soonest = new ArrayList<>();
        query(
                "SELECT timer_id FROM timer_schedules WHERE state = 'SCHEDULED' ORDER BY wake_at LIMIT " + rows,
                row -> soonest.add(row.getString(1)));
        List<String> latest = new ArrayList<>();
        query(
                "SELECT timer_id FROM timer_schedules ORDER BY registered_at DESC LIMIT 1",
                row -> latest.add(row.getString(1)));
        Connection holder = own.getConnection();
        try {
            holder.setAutoCommit(false);
            for (String each : soonest) {
                rename(holder, each, each);
            }
            for (String each : latest) {
                int number = each.lastIndexOf('-') + 1;
                int next = Integer.parseInt(each.substring(number)) + AHEAD;
                rename(holder, each, each.substring(0, number) + next);
            }
            return holder;
        } catch (SQLException | RuntimeException e) {
            release(holder);
            throw e;
        }
    }

    /** Ends what {@link #hold} began. */
    public static void release(Connection holder) throws SQLException {
        try (holder) {
            holder.rollback();
            holder.setAutoCommit(true);
        }
    }

    /** A row that gets another key holds both keys until the end of the transaction. */
    private static void rename(Connection holder, String key, String other) throws SQLException {
        try (PreparedStatement statement = holder.prepareStatement("UPDATE timer_schedules SET timer_id = ?,"
                + " revision = revision + 1 WHERE tenant_id = 'default' AND timer_id = ? AND scope = ''")) {
            statement.setString(1, other);
            statement.setString(2, key);
            statement.executeUpdate();
        }
    }

    public void terminate(long backend) throws SQLException {
        execute(pool, product.terminate(backend));
    }

    private interface Reader {
        void read(ResultSet row) throws SQLException;
    }

    private void query(String sql, Reader reader) throws SQLException {
        try (Connection connection = own.getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                reader.read(rows);
            }
        }
    }

    private static void execute(HikariDataSource pool, String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() {
        own.close();
        try {
            execute(pool, product.drop(name));
        } catch (SQLException e) {
            System.err.println("chaos: " + name + " was not dropped: " + e.getMessage());
        }
        pool.close();
    }
}

package dev.duetime.jdbc.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source whose connections fail by chance, once {@link #begin} was called: when they are opened, before a
 * commit, which is then undone, or after a commit, which is then durable although the caller gets no reply. In
 * auto-commit mode each statement is a commit. The idea is Quartz's flaky connection.
 */
public final class FlakyDataSource extends DataSourceDecorator {
    /** The point at which a connection fails. */
    public enum Point {
        OPEN,
        BEFORE_COMMIT,
        AFTER_COMMIT
    }

    private final Random random;
    private final double chance;
    private final Map<Point, AtomicInteger> failures = new EnumMap<>(Point.class);

    private volatile boolean flaky;

    public FlakyDataSource(DataSource target, long seed, double chance) {
        super(target);
        this.random = new Random(seed);
        this.chance = chance;
        for (Point each : Point.values()) {
            failures.put(each, new AtomicInteger());
        }
    }

    public void begin() {
        flaky = true;
    }

    /** Returns how often connections have failed at that point. */
    public int failures(Point point) {
        return failures.getOrDefault(point, new AtomicInteger()).get();
    }

    @Override
    public Connection getConnection() throws SQLException {
        fail(Point.OPEN);
        Connection connection = super.getConnection();
        return proxy(Connection.class, (method, arguments) -> {
            if (method.getName().equals("prepareStatement")) {
                PreparedStatement statement =
                        (PreparedStatement) Objects.requireNonNull(invoke(connection, method, arguments));
                return connection.getAutoCommit() ? flaky(statement) : statement;
            }
            if (method.getName().equals("commit")) {
                failBeforeCommit(connection);
            }
            Object result = invoke(connection, method, arguments);
            if (method.getName().equals("commit")) {
                fail(Point.AFTER_COMMIT);
            }
            return result;
        });
    }

    private PreparedStatement flaky(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (method, arguments) -> {
            boolean commits = method.getName().startsWith("execute");
            if (commits) {
                fail(Point.BEFORE_COMMIT);
            }
            Object result = invoke(statement, method, arguments);
            if (commits) {
                fail(Point.AFTER_COMMIT);
            }
            return result;
        });
    }

    private void failBeforeCommit(Connection connection) throws SQLException {
        try {
            fail(Point.BEFORE_COMMIT);
        } catch (SQLException e) {
            connection.rollback();
            throw e;
        }
    }

    private void fail(Point point) throws SQLException {
        if (flaky && random.nextDouble() < chance) {
            failures.getOrDefault(point, new AtomicInteger()).incrementAndGet();
            throw new SQLNonTransientConnectionException("connection reset: " + point, "08006");
        }
    }

    private static @Nullable Object invoke(Object target, Method method, Object @Nullable [] arguments)
            throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** The code that is called instead of a method. */
    private interface Call {
        @Nullable
        Object make(Method method, Object @Nullable [] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (unused, method, arguments) -> call.make(method, arguments)));
    }
}

package dev.duetime.jdbc.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source that counts the statements that are executed on its connections, by their text. Thread-safe. */
public final class StatementCounts extends DataSourceDecorator {
    private final Map<String, Integer> counts = new ConcurrentSkipListMap<>();

    public StatementCounts(DataSource target) {
        super(target);
    }

    /** Returns how often each statement was executed since the last {@link #clear}; a batch counts as one. */
    public Map<String, Integer> counts() {
        return Map.copyOf(counts);
    }

    public int total() {
        return counts.values().stream().mapToInt(each -> each).sum();
    }

    public void clear() {
        counts.clear();
    }

    @Override
    public Connection getConnection() throws SQLException {
        return counting(Connection.class, super.getConnection(), null);
    }

    private <T> T counting(Class<T> type, Object target, @Nullable String text) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, args) -> call(target, method, args, text)));
    }

    private @Nullable Object call(Object target, Method method, Object @Nullable [] args, @Nullable String text)
            throws Throwable {
        String given = args != null && args.length > 0 && args[0] instanceof String first ? first : text;
        if (method.getName().startsWith("execute") && given != null) {
            counts.merge(given.strip().replaceAll("\\s+", " "), 1, Integer::sum);
        }
        try {
            Object result = method.invoke(target, args);
            return switch (method.getName()) {
                case "prepareStatement" -> counting(PreparedStatement.class, result, given);
                case "createStatement" -> counting(Statement.class, result, null);
                default -> result;
            };
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

package dev.duetime.jdbc.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source that ends the process, as far as the database can see, at one of the statements that create or insert
 * something.
 */
public final class CutConnections extends DataSourceDecorator {
    private static final Pattern WRITES = Pattern.compile("(?s)\\s*(--[^\\n]*\\n\\s*)*(CREATE|INSERT).*");

    private final AtomicInteger left;
    private final boolean afterwards;
    private final Runnable onWrite;
    private final List<Connection> open = new CopyOnWriteArrayList<>();
    private volatile boolean cut;

    /**
     * Creates it.
     *
     * @param number at which of these statements, from 1
     * @param afterwards whether that statement is still run
     */
    public CutConnections(DataSource target, int number, boolean afterwards) {
        this(target, number, afterwards, () -> {});
    }

    /**
     * Creates it.
     *
     * @param onWrite is run before each of these statements
     */
    public CutConnections(DataSource target, int number, boolean afterwards, Runnable onWrite) {
        super(target);
        this.left = new AtomicInteger(number);
        this.afterwards = afterwards;
        this.onWrite = onWrite;
    }

    /** An error that stands for the end of the process. No code catches it. */
    public static final class Cut extends Error {
        private static final long serialVersionUID = 1L;
    }

    @Override
    public Connection getConnection() throws SQLException {
        check();
        Connection connection = super.getConnection();
        open.add(connection);
        return proxy(Connection.class, connection, null);
    }

    private <T> T proxy(Class<T> type, T target, @Nullable String prepared) {
        InvocationHandler handler = (unused, method, arguments) -> {
            if (method.getName().equals("close") || method.getName().equals("isClosed")) {
                return invoke(target, method, arguments);
            }
            check();
            if (!method.getName().startsWith("execute")) {
                Object result = invoke(target, method, arguments);
                if (result instanceof PreparedStatement statement) {
                    return proxy(PreparedStatement.class, statement, String.valueOf(arguments[0]));
                }
                return result instanceof Statement statement ? proxy(Statement.class, statement, null) : result;
            }
            String sql = prepared == null ? String.valueOf(arguments[0]) : prepared;
            boolean writes = WRITES.matcher(sql.toUpperCase(Locale.ROOT)).matches();
            if (writes) {
                onWrite.run();
            }
            boolean last = writes && left.decrementAndGet() == 0;
            cut = last && !afterwards;
            check();
            Object result = invoke(target, method, arguments);
            cut = last;
            check();
            return result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private void check() throws SQLException {
        if (cut) {
            for (Connection each : open) {
                if (!each.isClosed()) {
                    if (!each.getAutoCommit()) {
                        each.rollback();
                    }
                    each.close();
                }
            }
            throw new Cut();
        }
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

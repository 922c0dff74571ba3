package dev.duetime.jdbc.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A data source with a connection on which each call throws the same error: from the end of one of its statements on,
 * whose effect remains, and until the heap has room again.
 */
public final class FullHeap extends DataSourceDecorator {
    private final OutOfMemoryError error = new OutOfMemoryError("a test");
    private final AtomicInteger left = new AtomicInteger();
    private volatile Predicate<String> statements = text -> true;
    private volatile @Nullable Connection broken;
    private volatile boolean full;

    public FullHeap(DataSource target) {
        super(target);
    }

    /**
     * Fills the heap at the end of one of the next calls that the database answers.
     *
     * @param number which one, from 1
     */
    public void fillAt(int number) {
        broken = null;
        full = true;
        left.set(number);
    }

    /** Fills the heap at the end of the next statement whose text matches. */
    public void fillAt(Predicate<String> text) {
        statements = text;
        fillAt(1);
    }

    /** Returns the error. It is always the same one: the virtual machine throws one instance again and again, too. */
    public OutOfMemoryError error() {
        return error;
    }

    /** Makes room. */
    public void free() {
        left.set(0);
        full = false;
    }

    /** Returns the pool's connection whose calls throw or have thrown; null if there is none. */
    public @Nullable Connection broken() {
        return broken;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return proxy(Connection.class, connection, connection, "");
    }

    private <T> T proxy(Class<T> type, T target, Connection connection, String prepared) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (unused, method, arguments) -> {
                    if (full && connection == broken) {
                        throw error;
                    }
                    Object result = invoke(target, method, arguments);
                    boolean hasText = arguments != null && arguments.length > 0 && arguments[0] instanceof String;
                    String text = hasText ? (String) arguments[0] : prepared;
                    if (isAnswer(method) && statements.test(text) && left.getAndUpdate(n -> Math.max(0, n - 1)) == 1) {
                        broken = connection;
                        throw error;
                    }
                    return wrapped(method.getReturnType(), result, connection, text);
                }));
    }

    private static boolean isAnswer(Method method) {
        return method.getName().startsWith("execute") || method.getName().equals("commit");
    }

    private Object wrapped(Class<?> type, Object result, Connection connection, String text) {
        if (type == PreparedStatement.class) {
            return proxy(PreparedStatement.class, (PreparedStatement) result, connection, text);
        }
        if (type == Statement.class) {
            return proxy(Statement.class, (Statement) result, connection, text);
        }
        return type == ResultSet.class && result != null
                ? proxy(ResultSet.class, (ResultSet) result, connection, text)
                : result;
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

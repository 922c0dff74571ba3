package dev.duetime.jdbc.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** A data source whose drivers run out of memory while they read an answer, once after each {@link #breakAt}. */
public final class BrokenAnswers extends DataSourceDecorator {
    private final AtomicInteger left = new AtomicInteger();
    private volatile @Nullable Connection broken;

    public BrokenAnswers(DataSource target) {
        super(target);
    }

    /**
     * Breaks one of the next answers.
     *
     * @param number which one, from 1
     */
    public void breakAt(int number) {
        broken = null;
        left.set(number);
    }

    /** Returns the driver's connection whose answer was broken; null if none was. Ends {@link #breakAt}. */
    public @Nullable Connection broken() {
        left.set(0);
        return broken;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return proxy(Connection.class, connection, connection);
    }

    private <T> T proxy(Class<T> type, T target, Connection connection) {
        InvocationHandler handler = (unused, method, arguments) -> {
            Object result = invoke(target, method, arguments);
            boolean answers =
                    method.getName().startsWith("execute") || method.getName().equals("commit");
            if (answers && left.getAndUpdate(number -> Math.max(0, number - 1)) == 1) {
                broken = connection.unwrap(Connection.class);
                throw new OutOfMemoryError("a test");
            }
            if (result instanceof PreparedStatement statement) {
                return proxy(PreparedStatement.class, statement, connection);
            }
            return method.getName().equals("createStatement")
                    ? proxy(Statement.class, (Statement) result, connection)
                    : result;
        };
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }

    private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}

package dev.duetime.jdbc.database;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import javax.sql.DataSource;

/**
 * A data source whose connections, between {@link #begin} and {@link #end}, break after each commit: what they did is
 * durable, but the caller gets no reply. In auto-commit mode each statement is a commit.
 */
public final class LosingReplies extends DataSourceDecorator {
    private volatile boolean losing;

    public LosingReplies(DataSource target) {
        super(target);
    }

    public void begin() {
        losing = true;
    }

    public void end() {
        losing = false;
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        return proxy(Connection.class, (unused, method, arguments) -> {
            boolean autoCommit = method.getName().equals("prepareStatement") && connection.getAutoCommit();
            Object result = invoke(connection, method, arguments);
            lose(method.getName().equals("commit"));
            return autoCommit ? losing((PreparedStatement) result) : result;
        });
    }

    private PreparedStatement losing(PreparedStatement statement) {
        return proxy(PreparedStatement.class, (unused, method, arguments) -> {
            Object result = invoke(statement, method, arguments);
            lose(method.getName().startsWith("execute"));
            return result;
        });
    }

    private void lose(boolean committed) throws SQLException {
        if (losing && committed) {
            throw new SQLNonTransientConnectionException("connection reset", "08006");
        }
    }

    private static Object invoke(Object target, java.lang.reflect.Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static <T> T proxy(Class<T> type, InvocationHandler handler) {
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, handler));
    }
}

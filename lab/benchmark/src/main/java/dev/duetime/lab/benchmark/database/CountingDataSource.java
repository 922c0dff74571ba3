package dev.duetime.lab.benchmark.database;

import java.io.PrintWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.LongAdder;
import java.util.logging.Logger;
import javax.sql.DataSource;

/** A data source that counts executed statements. A batch of one statement counts once. Thread-safe. */
public final class CountingDataSource implements DataSource {
    private final DataSource counted;
    private final LongAdder statements;

    public CountingDataSource(DataSource counted, LongAdder statements) {
        this.counted = counted;
        this.statements = statements;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return proxy(Connection.class, counted.getConnection());
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        return proxy(Connection.class, counted.getConnection(user, password));
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    if (method.getName().startsWith("execute")) {
                        statements.increment();
                    }
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof Statement ? statement(method.getReturnType(), result) : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    /** Only statements that a connection makes are counted. The getStatement of a result is not intercepted. */
    private <T> Object statement(Class<T> type, Object result) {
        return Statement.class.isAssignableFrom(type) ? proxy(type, type.cast(result)) : result;
    }

    @Override
    public PrintWriter getLogWriter() throws SQLException {
        return counted.getLogWriter();
    }

    @Override
    public void setLogWriter(PrintWriter out) throws SQLException {
        counted.setLogWriter(out);
    }

    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        counted.setLoginTimeout(seconds);
    }

    @Override
    public int getLoginTimeout() throws SQLException {
        return counted.getLoginTimeout();
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        return counted.unwrap(type);
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        return counted.isWrapperFor(type);
    }
}

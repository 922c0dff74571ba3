package dev.duetime.jdbc.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** A data source that refuses statements that create one table, as a database does if the login lacks the right. */
public final class RefusedStatements extends DataSourceDecorator {
    private final String table;

    public RefusedStatements(DataSource target, String table) {
        super(target);
        this.table = table;
    }

    @Override
    public Connection getConnection() throws SQLException {
        return proxy(Connection.class, super.getConnection());
    }

    private <T> T proxy(Class<T> type, T target) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (unused, method, given) -> {
                    if (method.getName().startsWith("execute")
                            && given != null
                            && String.valueOf(given[0]).matches("(?s).*CREATE TABLE[\\w \"`]*" + table + "[\"`]? .*")) {
                        throw new SQLException("no right to create " + table, "42501");
                    }
                    try {
                        Object result = method.invoke(target, given);
                        return method.getName().equals("createStatement")
                                ? proxy(Statement.class, (Statement) result)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }
}

package dev.duetime.jdbc.database;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** A data source that refuses some statements, as a database does if the login lacks the right. */
public final class RefusedStatements extends DataSourceDecorator {
    private final Pattern refused;
    private final String what;

    /** Refuses statements that create one table. */
    public RefusedStatements(DataSource target, String table) {
        this(target, Pattern.compile("(?s).*CREATE TABLE[\\w \"`]*" + table + "[\"`]? .*"), "create " + table);
    }

    /**
     * Refuses statements that match.
     *
     * @param what what they do
     */
    public RefusedStatements(DataSource target, Pattern refused, String what) {
        super(target);
        this.refused = refused;
        this.what = what;
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
                            && refused.matcher(String.valueOf(given[0])).matches()) {
                        throw new SQLException("no right to " + what, "42501");
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

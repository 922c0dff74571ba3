package dev.duetime.jdbc.contract;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;

/** Connections as a pool of JTA shows them inside a global transaction. */
final class WithoutSavepoints {
    private WithoutSavepoints() {}

    /** Returns the connection, which then refuses savepoints with the SQLSTATE. */
    static Connection of(Connection connection, String state) {
        return (Connection) Proxy.newProxyInstance(
                Connection.class.getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if ("setSavepoint".equals(method.getName())) {
                        throw new SQLException("no savepoint", state);
                    }
                    try {
                        return method.invoke(connection, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}

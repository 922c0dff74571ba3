package dev.duetime.jdbc.engine;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.jdbc.database.DataSourceDecorator;
import dev.duetime.jdbc.database.FreshDatabases;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * A process that opens a store for the first time. It says when it begins one of the statements that create or insert
 * something, and does nothing after that one.
 */
final class MigratingProcess {
    static final String BEGINS = "begins";
    static final String OPENED = "opened";

    private static final Pattern WRITES = Pattern.compile("(?s)\\s*(--[^\\n]*\\n\\s*)*(CREATE|INSERT).*");

    private MigratingProcess() {}

    /** Opens the store of the database that the first argument names, and says when it begins statement number two. */
    public static void main(String[] args) {
        try (HikariDataSource pool = FreshDatabases.pool(args[0])) {
            JdbcScheduleStore.of(new Announced(pool, Integer.parseInt(args[1])));
            System.out.println(OPENED);
        }
    }

    private static final class Announced extends DataSourceDecorator {
        private final AtomicInteger left;

        Announced(DataSource target, int number) {
            super(target);
            left = new AtomicInteger(number);
        }

        @Override
        public Connection getConnection() throws SQLException {
            return proxy(Connection.class, super.getConnection(), null);
        }

        private <T> T proxy(Class<T> type, T target, @Nullable String prepared) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (unused, method, given) -> {
                        boolean executes = method.getName().startsWith("execute");
                        boolean last = executes && isLast(prepared == null ? String.valueOf(given[0]) : prepared);
                        if (last) {
                            System.out.println(BEGINS);
                        }
                        try {
                            Object result = method.invoke(target, given);
                            while (last) {
                                LockSupport.park();
                            }
                            if (result instanceof PreparedStatement statement) {
                                return proxy(PreparedStatement.class, statement, String.valueOf(given[0]));
                            }
                            return method.getName().equals("createStatement")
                                    ? proxy(Statement.class, (Statement) result, null)
                                    : result;
                        } catch (InvocationTargetException e) {
                            throw e.getCause();
                        }
                    }));
        }

        private boolean isLast(String sql) {
            return WRITES.matcher(sql.toUpperCase(Locale.ROOT)).matches() && left.decrementAndGet() == 0;
        }
    }
}

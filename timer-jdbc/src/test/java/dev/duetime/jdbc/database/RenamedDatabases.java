package dev.duetime.jdbc.database;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.jdbc.JdbcScheduleStoreBuilder;
import dev.duetime.jdbc.contract.JdbcPart;
import dev.duetime.jdbc.internal.sql.NamedSql;
import dev.duetime.jdbc.internal.sql.TableNames;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * Databases in which our tables are in another schema than the current one, and have a prefix. What a test itself
 * executes gets these names. A statement of a store must have them: one that has not fails, since there are no such
 * tables.
 */
public final class RenamedDatabases implements FreshDatabases {
    private static final String PREFIX = "Acme_";
    private static final Pattern NAME = Pattern.compile("duetime_test_\\w+?(?=[?&]|$)");
    private static final Set<String> BACKTICKS = Set.of("mariadb", "mysql");

    private final FreshDatabases target;
    private final String database;
    private final List<String> created = new ArrayList<>();

    /**
     * Creates them.
     *
     * @param database the name of the folders of the database's statements
     */
    public RenamedDatabases(FreshDatabases target, String database) {
        this.target = target;
        this.database = database;
    }

    @Override
    public synchronized String create() {
        String url = target.create();
        created.add(url);
        return url;
    }

    @Override
    public HikariDataSource open(String url) {
        RenamingPool pool = new RenamingPool(new NamedSql(database, names(url)));
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setMinimumIdle(1);
        return pool;
    }

    @Override
    public JdbcScheduleStoreBuilder configured(JdbcScheduleStoreBuilder builder, DataSource opened) {
        try (Connection connection = opened.getConnection()) {
            TableNames names = names(connection.getMetaData().getURL());
            return builder.schema(String.valueOf(names.schema())).tablePrefix(names.prefix());
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public DataSource ofStore(DataSource opened) {
        return opened instanceof RenamingPool pool ? pool.unchanged() : opened;
    }

    private static TableNames names(String url) {
        Matcher name = NAME.matcher(url);
        String found = "";
        while (name.find()) {
            found = name.group();
        }
        return new TableNames(found + "-T", PREFIX);
    }

    @Override
    public void close() {
        for (String url : created) {
            String quote = BACKTICKS.contains(database) ? "`" : "\"";
            String schema = quote + names(url).schema() + quote;
            try (HikariDataSource pool = FreshDatabases.pool(url)) {
                JdbcPart.execute(
                        pool, "DROP SCHEMA IF EXISTS " + schema + (BACKTICKS.contains(database) ? "" : " CASCADE"));
            }
        }
        target.close();
    }

    /** A pool that gives the statements of a test the names of the tables. */
    private static final class RenamingPool extends HikariDataSource {
        private final NamedSql named;

        RenamingPool(NamedSql named) {
            this.named = named;
        }

        /** Returns this pool for a store, whose statements have the names. */
        DataSource unchanged() {
            return new DataSourceDecorator(this) {
                @Override
                public Connection getConnection() throws SQLException {
                    return RenamingPool.super.getConnection();
                }
            };
        }

        @Override
        public Connection getConnection() throws SQLException {
            return proxy(Connection.class, super.getConnection());
        }

        private <T> T proxy(Class<T> type, T target) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (unused, method, given) -> {
                        boolean takesSql = method.getName().startsWith("execute")
                                || method.getName().startsWith("prepare");
                        if (takesSql && given != null && given.length > 0 && given[0] instanceof String sql) {
                            given[0] = named.statement(sql);
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
}

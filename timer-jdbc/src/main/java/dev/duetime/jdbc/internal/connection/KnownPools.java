package dev.duetime.jdbc.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.sql.Connection;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls methods of known pools that JDBC does not have. They are found by name, so no pool is a dependency. */
public final class KnownPools {
    private static final Logger LOG = LoggerFactory.getLogger(KnownPools.class);
    /** HikariCP, DBCP 2, c3p0, Tomcat, Druid and Vibur. */
    private static final List<String> SIZES =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxPoolSize", "getMaxActive", "getPoolMaxSize");
    /** HikariCP and DBCP 2. */
    private static final List<String> EVICTIONS = List.of("evictConnection", "invalidateConnection");
    /** Wrappers of Spring, of datasource-proxy and of others. */
    private static final List<String> TARGETS = List.of("getTargetDataSource", "getDataSource", "getWrappedDataSource");
    /** The largest number of wrappers to open. It also ends a cycle of wrappers. */
    private static final int MOST_WRAPPERS = 10;

    private KnownPools() {}

    /** Returns the maximum size of the pool; empty if the kind of pool is unknown, or if it has no limit. */
    public static OptionalInt size(DataSource dataSource) {
        DataSource pool = dataSource;
        for (int i = 0; i < MOST_WRAPPERS && pool != null; i++) {
            for (String getter : SIZES) {
                if (got(pool, getter) instanceof Integer number && number > 0) {
                    return OptionalInt.of(number);
                }
            }
            pool = target(pool);
        }
        return OptionalInt.empty();
    }

    /**
     * Makes the pool close a connection and forget it. HikariCP would otherwise lend a lost one again and again: it
     * tests only what was idle for half a second, and some drivers do not say that a connection is lost. Does nothing
     * if the kind of pool is unknown, or if the connection is wrapped.
     */
    static void evict(DataSource dataSource, Connection connection) {
        DataSource pool = dataSource;
        for (int i = 0; i < MOST_WRAPPERS && pool != null; i++) {
            for (String eviction : EVICTIONS) {
                try {
                    pool.getClass().getMethod(eviction, Connection.class).invoke(pool, connection);
                    return;
                } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
                    LOG.trace("no {} in {}", eviction, pool.getClass(), e);
                }
            }
            pool = target(pool);
        }
    }

    private static @Nullable DataSource target(DataSource wrapper) {
        for (String getter : TARGETS) {
            if (got(wrapper, getter) instanceof DataSource target) {
                return target;
            }
        }
        return null;
    }

    private static @Nullable Object got(DataSource pool, String getter) {
        try {
            return pool.getClass().getMethod(getter).invoke(pool);
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            LOG.trace("no {} in {}", getter, pool.getClass(), e); // This getter belongs to another kind of pool.
            return null;
        }
    }
}

package dev.duetime.jdbc.internal.connection;

import java.lang.reflect.InvocationTargetException;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out how many connections a pool has, by the getters of the known ones: there is no standard for it. */
public final class PoolSize {
    private static final Logger LOG = LoggerFactory.getLogger(PoolSize.class);
    /** HikariCP, DBCP 2, c3p0, Tomcat and Druid. */
    private static final List<String> GETTERS =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxPoolSize", "getMaxActive");

    private PoolSize() {}

    /** Returns the greatest number of connections; empty if it is no known pool, or has no limit. */
    public static OptionalInt of(DataSource dataSource) {
        for (String getter : GETTERS) {
            try {
                Object size = dataSource.getClass().getMethod(getter).invoke(dataSource);
                if (size instanceof Integer number && number > 0) {
                    return OptionalInt.of(number);
                }
            } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
                LOG.trace("no {} in {}", getter, dataSource.getClass(), e); // Another kind of pool.
            }
        }
        return OptionalInt.empty();
    }
}

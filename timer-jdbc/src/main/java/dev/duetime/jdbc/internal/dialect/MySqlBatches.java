package dev.duetime.jdbc.internal.dialect;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The question whether MySQL's driver sends a batch as one text, which the server ends at the first statement that
 * fails. This is a setting of the URL or of the pool. The driver is no dependency of ours, so it is asked by name.
 */
final class MySqlBatches {
    private static final Logger LOG = LoggerFactory.getLogger(MySqlBatches.class);
    private static final String CONNECTION = "com.mysql.cj.jdbc.JdbcConnection";
    private static final String SETTINGS = "com.mysql.cj.conf.PropertySet";
    private static final String VALUE = "com.mysql.cj.conf.RuntimeProperty";
    private static final String SETTING = "rewriteBatchedStatements";

    private MySqlBatches() {}

    /** Returns whether it does; false if that cannot be found out. */
    static boolean areSentWhole(DatabaseMetaData about) throws SQLException {
        return String.valueOf(about.getURL()).contains(SETTING + "=true") || isSetIn(about.getConnection());
    }

    private static boolean isSetIn(Connection connection) throws SQLException {
        try {
            ClassLoader loader = MySqlBatches.class.getClassLoader();
            Class<?> driver = Class.forName(CONNECTION, false, loader);
            if (!connection.isWrapperFor(driver)) {
                return false;
            }
            Object settings = driver.getMethod("getPropertySet").invoke(connection.unwrap(driver));
            Object setting = Class.forName(SETTINGS, false, loader)
                    .getMethod("getBooleanProperty", String.class)
                    .invoke(settings, SETTING);
            return Boolean.TRUE.equals(
                    Class.forName(VALUE, false, loader).getMethod("getValue").invoke(setting));
        } catch (ReflectiveOperationException e) {
            LOG.debug("the driver does not say whether {} is set", SETTING, e);
            return false;
        }
    }
}

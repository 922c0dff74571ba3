package dev.duetime.jdbc.internal.dialect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.jdbc.internal.sql.SqlFiles;
import dev.duetime.jdbc.internal.sql.TableNames;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of a connection that is changed and cannot be restored as a whole, for pools that reset nothing. */
class LockWaitSettingTest {
    private final SqlFiles sql = new H2Dialect("jdbc:h2:mem:", TableNames.AS_WRITTEN).sql();
    private int isolation = Connection.TRANSACTION_REPEATABLE_READ;
    private boolean isFailing;

    @Test
    void theIsolationIsRestoredIfTheWaitCannotBeLimited() {
        isFailing = true;

        assertThatThrownBy(() -> LockWaitSetting.limitAtReadCommitted(connection(), sql))
                .isInstanceOf(SQLException.class);

        assertThat(isolation).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    }

    @Test
    void theIsolationIsRestoredIfTheWaitIsNot() throws SQLException {
        LockWaits.Restore setting = LockWaitSetting.limitAtReadCommitted(connection(), sql);
        assertThat(isolation).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
        isFailing = true;

        assertThatThrownBy(setting::close).isInstanceOf(SQLException.class);

        assertThat(isolation).isEqualTo(Connection.TRANSACTION_REPEATABLE_READ);
    }

    /** Returns a connection that waits for locks for 50 of its units. */
    private Connection connection() {
        ResultSet row = answering(ResultSet.class, Map.of("next", arguments -> true, "getLong", arguments -> 50L));
        Statement statement =
                answering(Statement.class, Map.of("executeQuery", arguments -> row, "execute", arguments -> false));
        return answering(
                Connection.class,
                Map.of(
                        "getTransactionIsolation", arguments -> isolation,
                        "setTransactionIsolation", arguments -> isolation = (int) arguments[0],
                        "isClosed", arguments -> false,
                        "createStatement",
                                arguments -> {
                                    if (isFailing) {
                                        throw new SQLException("a test");
                                    }
                                    return statement;
                                }));
    }

    @FunctionalInterface
    private interface Answer {
        Object to(Object[] arguments) throws SQLException;
    }

    private static <T> T answering(Class<T> type, Map<String, Answer> answers) {
        return type.cast(
                Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (self, method, arguments) -> {
                    Answer answer = answers.get(method.getName());
                    Object given = answer == null ? null : answer.to(arguments);
                    return method.getReturnType() == void.class ? null : given;
                }));
    }
}

package dev.duetime.jdbc.internal.dialect;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of the settings of a binary log with which each write would fail. */
class BinaryLogTest {

    @Test
    void aBinaryLogOfStatementsIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> InnoDbDialect.refuseStatementFormat(
                        Map.of("log_bin", "ON", "sql_log_bin", "ON", "binlog_format", "STATEMENT")))
                .withMessage("binlog_format must be ROW or MIXED for the connections of Duetime but is STATEMENT:"
                        + " InnoDB then refuses writes at READ COMMITTED");
    }

    @Test
    void otherSettingsAreAccepted() {
        for (Map<String, String> each : List.of(
                Map.of("log_bin", "ON", "sql_log_bin", "ON", "binlog_format", "MIXED"),
                Map.of("log_bin", "ON", "sql_log_bin", "ON", "binlog_format", "ROW"),
                Map.of("log_bin", "OFF", "sql_log_bin", "ON", "binlog_format", "STATEMENT"),
                Map.of("log_bin", "ON", "sql_log_bin", "OFF", "binlog_format", "STATEMENT"),
                Map.of("log_bin", "ON"),
                Map.<String, String>of())) {
            assertThatCode(() -> InnoDbDialect.refuseStatementFormat(each)).doesNotThrowAnyException();
        }
    }
}

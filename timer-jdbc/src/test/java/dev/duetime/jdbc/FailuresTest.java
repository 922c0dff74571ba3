package dev.duetime.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import java.net.ConnectException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class FailuresTest {

    @Test
    void anErrorOfTheDataIsToldByItsCodes() {
        StoreException told = told(new SQLException("Duplicate entry 'secret' for key 'x'", "23000", 1062));

        assertThat(told).hasMessage("schedule a/b failed: SQLException, SQLSTATE 23000, code 1062");
    }

    @Test
    void ofAnyOtherErrorTheFirstLineIsTold() {
        StoreException told = told(new SQLException("ERROR: deadlock detected\n  Detail: secret", "40P01", 0));

        assertThat(told)
                .hasMessage("schedule a/b failed: ERROR: deadlock detected (SQLException, SQLSTATE 40P01, code 0)");
    }

    @Test
    void theCodesOfTheCauseAreKept() {
        assertThat(told(new SQLException("gone", "08006", 17)).getCause())
                .isInstanceOfSatisfying(SQLException.class, cause -> {
                    assertThat(cause.getSQLState()).isEqualTo("08006");
                    assertThat(cause.getErrorCode()).isEqualTo(17);
                });
    }

    @Test
    void theReasonOfALostConnectionIsKeptAndThatOfAnErrorOfTheDataIsNot() {
        ConnectException refused = new ConnectException("refused");

        assertThat(told(new SQLException("gone", "08001", refused))).hasRootCause(refused);
        assertThat(told(new SQLException("secret", "22001", new IllegalStateException("secret")))
                        .getCause())
                .hasNoCause();
    }

    @Test
    void whatIsInTheWayIsFoundAnywhereInTheChain() {
        SQLException busy = new SQLException("busy", null, 5);
        SQLException next = new SQLException("batch", null, 0);
        next.setNextException(busy);

        assertThat(Failures.any(new IllegalStateException(busy), e -> e.getErrorCode() == 5))
                .isTrue();
        assertThat(Failures.any(new IllegalStateException(next), e -> e.getErrorCode() == 5))
                .isTrue();
        assertThat(Failures.any(
                        new BatchUpdateException("batch", null, 0, new int[0], busy), e -> e.getErrorCode() == 5))
                .isTrue();
        assertThat(Failures.any(new IllegalStateException(busy), e -> e.getErrorCode() == 6))
                .isFalse();
    }

    private static StoreException told(SQLException e) {
        return Failures.of("schedule", "a/b", new IllegalStateException("secret", e));
    }
}

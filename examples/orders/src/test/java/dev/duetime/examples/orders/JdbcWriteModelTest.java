package dev.duetime.examples.orders;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of how two concurrent appends are told apart from a database that failed. */
class JdbcWriteModelTest {

    /** 23505 on PostgreSQL and H2, 23000 on MariaDB. */
    @ParameterizedTest
    @ValueSource(strings = {"23505", "23000"})
    void aDuplicateKeyIsKnownByTheClassOfItsState(String state) {
        assertThat(JdbcWriteModel.isDuplicate(new SQLException("duplicate", state)))
                .isTrue();
    }

    @Test
    void anyOtherFailureIsNotTakenForADuplicate() {
        assertThat(JdbcWriteModel.isDuplicate(new SQLException("serialization", "40001")))
                .isFalse();
        assertThat(JdbcWriteModel.isDuplicate(new SQLException("unknown"))).isFalse();
    }
}

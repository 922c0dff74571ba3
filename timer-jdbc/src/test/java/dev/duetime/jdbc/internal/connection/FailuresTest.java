package dev.duetime.jdbc.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoreException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.RefusedException;
import java.net.ConnectException;
import java.net.UnknownHostException;
import java.sql.BatchUpdateException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.Objects;
import java.util.stream.Stream;
import org.flywaydb.core.api.FlywayException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

class FailuresTest {

    @Test
    void anErrorCausedByDataIsShownByItsCodes() {
        StoreException told = told(new SQLException("Duplicate entry 'secret' for key 'x'", "23000", 1062));

        assertThat(told).hasMessage("schedule a/b failed: SQLException, SQLSTATE 23000, code 1062");
    }

    @Test
    void anyOtherErrorIsShownByItsFirstLine() {
        StoreException told = told(new SQLException("ERROR: deadlock detected\n  Detail: secret", "40P01", 0));

        assertThat(told)
                .hasMessage("schedule a/b failed: ERROR: deadlock detected (SQLException, SQLSTATE 40P01, code 0)");
    }

    @Test
    void aReadOnlyServerWithoutAnSqlStateIsNamed() {
        SQLException server = new SQLException(
                "The MySQL server is running with the --super-read-only option so it cannot execute this statement",
                "HY000",
                1290);
        SQLException driver = new SQLException(
                "Connection is read-only. Queries leading to data modification are not allowed.", "S1009", 0);

        assertThat(told(server)).hasMessageContaining("--super-read-only").isNotInstanceOf(RefusedException.class);
        assertThat(told(driver)).hasMessageContaining("Connection is read-only");
        assertThat(told(new SQLException("Invalid argument value 'secret'", "S1009", 0)))
                .message()
                .doesNotContain("secret");
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
    void theReasonIsKeptForALostConnectionButNotForBadData() {
        ConnectException refused = new ConnectException("refused");

        assertThat(told(new SQLException("gone", "08001", refused))).hasRootCause(refused);
        assertThat(told(new SQLException("secret", "22001", new IllegalStateException("secret")))
                        .getCause())
                .hasNoCause();
    }

    @Test
    void theWholeChainOfCausesIsShownOnce() {
        SQLException role = new SQLException("FATAL: role \"app\" is not permitted to log in", "28000");
        SQLException pool = new SQLTransientConnectionException("pool - Connection is not available", "28000", role);
        pool.setNextException(role);

        assertThat(told(pool))
                .hasMessage("schedule a/b failed: pool - Connection is not available (SQLTransientConnectionException,"
                        + " SQLSTATE 28000, code 0), caused by FATAL: role \"app\" is not permitted to log in"
                        + " (SQLException, SQLSTATE 28000, code 0)");
        assertThat(told(new SQLException("gone", "08001", new ConnectException("refused"))))
                .hasMessage("schedule a/b failed: gone (SQLException, SQLSTATE 08001, code 0), caused by"
                        + " ConnectException: refused");
    }

    @Test
    void aBatchErrorShowsNeitherStatementNorBoundValues() {
        SQLException reason = new SQLException("ERROR: cannot execute INSERT in a read-only transaction", "25006");
        SQLException batch = new BatchUpdateException(
                "Batch entry 0 INSERT INTO x VALUES ('secret') was aborted: ERROR: cannot",
                "25006",
                0,
                new int[0],
                reason);

        assertThat(told(batch))
                .hasMessage("schedule a/b failed: ERROR: cannot execute INSERT in a read-only transaction"
                        + " (SQLException, SQLSTATE 25006, code 0)");
        assertThat(told(new BatchUpdateException("Batch entry 0 'secret'", "25006", 0, new int[0])))
                .hasMessage("schedule a/b failed: BatchUpdateException, SQLSTATE 25006, code 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"22001", "23505", "44000", "45000", "P0001", "ZZ001", "HY000", "01000"})
    void anErrorOfDataOrATriggerIsShownByItsCodes(String state) {
        StoreException told = told(new SQLException("secret", state, 7));

        assertThat(told).hasMessage("schedule a/b failed: SQLException, SQLSTATE %s, code 7", state);
        assertThat(told.getCause()).hasMessageNotContaining("secret");
    }

    /** A trigger may choose any code, and fail by a mistake of its own. */
    @ParameterizedTest
    @ValueSource(strings = {"U0001", "77001", "42501", "42P01", "42703", "54000", "55000", "0A000"})
    void anAnswerThatMayBeThatOfARowIsInDoubt(String state) {
        assertThat(told(new SQLException("no", state))).isInstanceOf(DoubtfulException.class);
        assertThat(told(new SQLException("gone", "08006", new SQLException("no", state))))
                .isNotInstanceOf(DoubtfulException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"08006", "25006", "28000", "3D000", "40001", "53100", "55P03", "57P01", "58030", "XX001", "HY000"
            })
    void anErrorOfTheServerIsNotInDoubt(String state) {
        assertThat(told(new SQLException("gone", state))).isExactlyInstanceOf(StoreException.class);
        assertThat(told(new SQLTransientConnectionException("no connection", "42501")))
                .isExactlyInstanceOf(StoreException.class);
        assertThat(told(new SQLException("the driver's own"))).isExactlyInstanceOf(StoreException.class);
    }

    /** Such messages are the user's, whatever the code is. */
    @Test
    void whatATriggerRaisesIsShownByItsCodes() {
        SQLException signalled = new SQLException("secret", "42000", 1644);

        assertThat(told(signalled))
                .isInstanceOf(RefusedException.class)
                .hasMessage("schedule a/b failed: SQLException, SQLSTATE 42000, code 1644");
    }

    /** The server translates the context, and a function may be in any language. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "PL/pgSQL function refuse() line 1 at RAISE",
                "PL/pgSQL-Funktion refuse() Zeile 3 bei EXECUTE",
                "PL/Perl function \"refuse\"",
                "Traceback (most recent call last):"
            })
    void whatAFunctionOfPostgresRaisesIsShownByItsCodes(String where) {
        for (boolean detailed : new boolean[] {true, false}) {
            String answer = "SERROR\0C42601\0Msyntax error at or near \"secret\"\0";
            SQLException raised = new PSQLException(new ServerErrorMessage(answer + "W" + where + "\0"), detailed);
            SQLException ours = new PSQLException(new ServerErrorMessage(answer), detailed);

            assertThat(told(raised)).hasMessage("schedule a/b failed: PSQLException, SQLSTATE 42601, code 0");
            assertThat(told(ours)).message().contains("syntax error");
        }
    }

    /** A function may choose the SQLSTATE, but not the source file of the server. */
    @Test
    void theEndOfAWaitIsTold() {
        String answer = "SERROR\0C55P03\0Mcanceling statement due to lock timeout\0"
                + "Wwhile locking tuple (0,1) in relation \"t\"\0";

        assertThat(told(new PSQLException(new ServerErrorMessage(answer + "Fpostgres.c\0"))))
                .hasMessage("schedule a/b failed: ERROR: canceling statement due to lock timeout"
                        + " (PSQLException, SQLSTATE 55P03, code 0)");
        assertThat(told(new PSQLException(new ServerErrorMessage(answer + "Fpl_exec.c\0"))))
                .hasMessage("schedule a/b failed: PSQLException, SQLSTATE 55P03, code 0");
        assertThat(told(new PSQLException(new ServerErrorMessage(answer))))
                .hasMessage("schedule a/b failed: PSQLException, SQLSTATE 55P03, code 0");
    }

    /** The drivers of MariaDB and MySQL put values into the text of a statement. */
    @Test
    void aStatementThatMySqlCannotParseIsNotQuoted() {
        assertThat(told(new SQLException("You have an error in your SQL syntax near 'secret'", "42000", 1064)))
                .hasMessage("schedule a/b failed: SQLException, SQLSTATE 42000, code 1064");
    }

    /** MySQL has no SQLSTATE of its own for a violated CHECK. */
    @ParameterizedTest
    @ValueSource(ints = {1364, 1366, 3819})
    void aRefusalOfMySqlIsNoOutage(int code) {
        assertThat(told(new SQLException("secret", "HY000", code))).isInstanceOf(RefusedException.class);
        assertThat(told(new SQLException("secret", "08S01", code))).isNotInstanceOf(RefusedException.class);
    }

    /** Their class is that of H2's own errors, but they quote the exception of a user's code. */
    @ParameterizedTest
    @ValueSource(ints = {90044, 90105})
    void anErrorOfATriggerOrFunctionOfH2IsShownByItsCodes(int code) {
        SQLException error = new SQLException("Error executing trigger, cause: \"secret\"", "" + code, code);

        assertThat(told(error)).hasMessageContaining("code " + code).hasMessageNotContaining("secret");
    }

    @Test
    void aLoginThatADriverTakesForAHostIsNotShown() {
        StoreException told =
                told(new SQLException("no connection", "08001", new UnknownHostException("user:secret@127.0.0.1")));
        assertThat(told).hasMessageContaining("UnknownHostException: …@127.0.0.1");
        assertThat(Stream.iterate((Throwable) told, Objects::nonNull, Throwable::getCause))
                .noneMatch(each -> String.valueOf(each).contains("secret"));
    }

    @Test
    void aPasswordInAUrlIsNotShown() {
        assertThat(told(new SQLException(
                        "No suitable driver found for jdbc:h2:x;USER=sa;PASSWORD=top/se@cret;MODE=y", "08001")))
                .hasMessageContaining("jdbc:h2:x;USER=sa;PASSWORD=…;MODE=y");
        assertThat(told(new SQLException("cannot reach db://me:top/se@cret@host/x\u2028forged", "08001")))
                .hasMessageContaining("cannot reach db://…@host/x\\u2028forged");
    }

    @Test
    void aMessageOfFlywayIsShownOnOneLine() {
        assertThat(Failures.of("migrate", "schema", new FlywayException("Validate failed:\n  checksum\n -> x")))
                .hasMessage("migrate schema failed: FlywayException: Validate failed: checksum -> x");
    }

    @Test
    void aCollisionIsFoundAnywhereInTheChain() {
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

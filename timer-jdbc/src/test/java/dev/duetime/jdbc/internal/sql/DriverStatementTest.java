package dev.duetime.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.jdbc.internal.sql.DriverStatement.Parameter;
import org.junit.jupiter.api.Test;

/** Tests of how a statement with named parameters becomes one with question marks. */
class DriverStatementTest {

    @Test
    void namesBecomeQuestionMarksInTheirOrder() {
        DriverStatement statement = DriverStatement.of("SELECT :b, CAST(:a AS text[]), :b");

        assertThat(statement.text()).isEqualTo("SELECT ?, CAST(? AS text[]), ?");
        assertThat(statement.parameters())
                .containsExactly(new Parameter("b", 0), new Parameter("a", 0), new Parameter("b", 0));
    }

    @Test
    void repetitionsAreNumbered() {
        String repeated = SqlFile.parse("name", """
            SELECT :queue, * FROM t WHERE x IN (
                -- each shard, joined by ,
                :shard
                -- end
            )\
            """).repeated(12);

        assertThat(DriverStatement.of(repeated).parameters())
                .hasSize(13)
                .startsWith(new Parameter("queue", 0), new Parameter("shard", 0))
                .endsWith(new Parameter("shard", 11));
    }

    @Test
    void castsAreLeftAlone() {
        DriverStatement statement = DriverStatement.of("SELECT x::bigint FROM t WHERE y = :y");

        assertThat(statement.text()).isEqualTo("SELECT x::bigint FROM t WHERE y = ?");
    }

    @Test
    void aStatementCanFollowAnotherOne() {
        DriverStatement statement = DriverStatement.of("SELECT :a").after("SELECT 1");

        assertThat(statement.text()).isEqualTo("SELECT 1; SELECT ?");
        assertThat(statement.isSecond()).isTrue();
    }
}

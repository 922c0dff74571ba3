package dev.duetime.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class SqlFileTest {
    private static final String MARKED = """
            -- Reads rows of keys: index x.
            SELECT *
            FROM rows
            WHERE (a, b) IN (
                -- each a, b, joined by ,
                (:a, :b)
                -- end
            )
              AND a <> :ab
            """;

    @Test
    void commentsAreDroppedAndTheNameIsKept() {
        SqlFile file = SqlFile.parse("find", "-- Reads a row.\nSELECT *\n  FROM rows\n  -- really\n  WHERE a = :a\n");

        assertThat(file.once()).isEqualTo("/* duetime find */ SELECT * FROM rows WHERE a = :a");
    }

    @Test
    void aMarkedFragmentIsRepeatedWithNumberedParameters() {
        SqlFile file = SqlFile.parse("find", MARKED);

        assertThat(file.repeated(2))
                .isEqualTo("/* duetime find */ SELECT * FROM rows WHERE (a, b) IN ("
                        + " (:a0, :b0) , (:a1, :b1) ) AND a <> :ab");
    }

    @Test
    void onlyWholeNamesAreNumbered() {
        SqlFile file = SqlFile.parse("find", "-- each a, joined by OR\n:a = :ab\n-- end\n");

        assertThat(file.repeated(1)).endsWith(" :a0 = :ab ");
    }

    @Test
    void aMarkWithoutAnEndIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SqlFile.parse("find", "SELECT\n-- each a, joined by OR\n:a"))
                .withMessage("statement find must mark one fragment or none");
    }

    private static final String CONDITIONAL =
            "WHERE x = 1\n  -- if a\n  AND a = :a\n  -- end\n  -- if b\n  AND b = :b\n  -- end\n";

    @Test
    void anUnusedConditionIsLeftOut() {
        assertThat(SqlFile.parse("find", CONDITIONAL, "b"::equals).once())
                .isEqualTo("/* duetime find */ WHERE x = 1 AND b = :b");
        assertThat(SqlFile.parse("find", CONDITIONAL, unused -> false).once())
                .isEqualTo("/* duetime find */ WHERE x = 1");
    }

    @Test
    void anUnchangedFileHasAllConditions() {
        assertThat(SqlFile.parse("find", CONDITIONAL).once())
                .isEqualTo("/* duetime find */ WHERE x = 1 AND a = :a AND b = :b");
    }

    @Test
    void theFileOfADatabaseComesBeforeTheCommonOne() {
        assertThat(new SqlFiles("h2").text("lock_state")).endsWith("FOR UPDATE");
        assertThat(new SqlFiles("sqlite").text("lock_state")).doesNotContain("FOR UPDATE");
    }

    @Test
    void anUnknownStatementIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new SqlFiles("h2").text("nothing"))
                .withMessage("there is no statement nothing for h2");
    }
}

package dev.duetime.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SlowPlanReplacementTest {
    private long nanos;
    private final SlowPlanReplacement plans = new SlowPlanReplacement(() -> nanos);

    private String run(Duration takes) {
        return plans.run("SELECT 1", text -> {
            nanos += takes.toNanos();
            return text;
        });
    }

    @Test
    void aQuickStatementKeepsItsText() {
        run(Duration.ofMillis(20));

        assertThat(run(Duration.ZERO)).isEqualTo("SELECT 1");
    }

    @Test
    void aSlowStatementGetsAnotherText() {
        assertThat(run(Duration.ofMillis(21))).isEqualTo("SELECT 1");
        assertThat(run(Duration.ZERO)).isEqualTo("SELECT 1 /* plan 1 */");
        assertThat(run(Duration.ZERO)).isEqualTo("SELECT 1 /* plan 1 */");
    }

    @Test
    void aStatementThatIsPlannedAfterARestGetsAnotherText() {
        SlowPlanReplacement seldom = new SlowPlanReplacement(() -> nanos, Duration.ofSeconds(1));
        assertThat(seldom.<String>run("SELECT 1", text -> text)).isEqualTo("SELECT 1");
        nanos += Duration.ofMillis(999).toNanos();
        assertThat(seldom.<String>run("SELECT 1", text -> text)).isEqualTo("SELECT 1");
        nanos += Duration.ofSeconds(1).toNanos();
        assertThat(seldom.<String>run("SELECT 1", text -> text)).isEqualTo("SELECT 1 /* plan 1 */");
        assertThat(seldom.<String>run("SELECT 1", text -> text)).isEqualTo("SELECT 1 /* plan 1 */");
    }

    @Test
    void otherStatementsKeepTheirTextAfterARest() {
        run(Duration.ZERO);
        nanos += Duration.ofDays(1).toNanos();

        assertThat(run(Duration.ZERO)).isEqualTo("SELECT 1");
    }

    @Test
    void aStatementThatStaysSlowGetsAnotherTextOnceAMinute() {
        for (int i = 0; i < 60; i++) {
            run(Duration.ofSeconds(1));
        }
        assertThat(run(Duration.ofSeconds(1))).endsWith("/* plan 1 */");
        assertThat(run(Duration.ofSeconds(1))).endsWith("/* plan 2 */");
    }
}

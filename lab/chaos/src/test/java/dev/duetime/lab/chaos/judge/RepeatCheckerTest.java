package dev.duetime.lab.chaos.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.lab.chaos.log.Logs;
import dev.duetime.lab.chaos.log.Measures;
import org.junit.jupiter.api.Test;

/** Tests with made-up logs that contain a repeated delivery: which faults explain the repeat. */
class RepeatCheckerTest {
    private static final long DUE = 10_000_000;
    private static final String A = "node-1.1";
    private static final String B = "node-2.1";

    private final Logs twice = new Logs()
            .schedule(1, 0, DUE, "CREATED")
            .delivered(1, DUE + 100, DUE, A, 1)
            .other(DUE + 200, A, 2)
            .delivered(1, DUE + 5_000, DUE, B, 1);

    @Test
    void aDuplicateWithoutAReasonIsUnexplained() {
        Verdict verdict = twice.check();

        assertThat(verdict.deliveries().duplicates()).isEqualTo(1);
        assertThat(verdict.findings().unexplained()).hasSize(1);
        assertThat(verdict.isSound()).isFalse();
    }

    @Test
    void aDuplicateOfADeliveryInFlightAtAKillIsExplained() {
        Verdict verdict = twice.fault(DUE + 150, DUE + 160, "kill", A).check();

        assertThat(verdict.isSound()).isTrue();
        assertThat(verdict.deliveries().duplicatesByCause()).containsEntry("kill", 1);
    }

    @Test
    void noMoreIsInFlightThanTheBatchThatTheNodeBeganLast() {
        Verdict verdict = new Logs()
                .other(DUE, A, 1)
                .other(DUE + 100, A, 2)
                .other(DUE + 100, B, 1)
                .fault(DUE + 150, DUE + 160, "kill", A)
                .check();

        assertThat(verdict.deliveries().inFlightAtFaults()).isEqualTo(1);
    }

    @Test
    void fullBatchesAreInFlightUntilTheNextReadEightAtMost() {
        Logs full = new Logs();
        for (int batch = 1; batch <= 10; batch++) {
            for (int i = 0; i < 500; i++) {
                full.other(DUE + batch * 100L, A, batch);
            }
        }

        assertThat(full.fault(DUE + 950, DUE + 950, "kill", A)
                        .check()
                        .deliveries()
                        .inFlightAtFaults())
                .isEqualTo(8 * 500 + 500);
    }

    @Test
    void aFaultThatLastsMayHitALaterAndLargerBatch() {
        Logs late = new Logs().other(DUE, A, 1).other(DUE + 200, A, 2);
        for (int i = 0; i < 22; i++) {
            late.other(DUE + 300, A, 3);
        }

        assertThat(late.fault(DUE + 100, DUE + 1_000, "heap", A)
                        .check()
                        .deliveries()
                        .inFlightAtFaults())
                .isEqualTo(1 + 22);
    }

    @Test
    void aDuplicateOfASettledDeliveryIsNotExplainedByAKill() {
        assertThat(twice.fault(DUE + 300, DUE + 310, "kill", A).check().isSound())
                .isFalse();
    }

    @Test
    void theDeathOfAnotherNodeExplainsNothing() {
        assertThat(twice.fault(DUE + 150, DUE + 160, "kill", "node-3.1").check().isSound())
                .isFalse();
    }

    @Test
    void aDuplicateByANodeThatHeldTheBatchWhileItWasStoppedIsExplained() {
        assertThat(twice.fault(DUE + 50, DUE + 4_990, "pause", B).check().isSound())
                .isTrue();
    }

    @Test
    void aDuplicateByANodeStoppedAfterTheFirstDeliveryIsUnexplained() {
        assertThat(twice.fault(DUE + 300, DUE + 4_990, "pause", B).check().isSound())
                .isFalse();
    }

    @Test
    void anOrderlyMoveOfADeliveryInFlightExplainsNothing() {
        Verdict verdict = twice.moved(DUE + 110, DUE + 190, A, B).check();

        assertThat(verdict.findings().unexplained()).hasSize(1);
        assertThat(verdict.deliveries().inFlightAtFaults()).isZero();
        assertThat(verdict.isSound()).isFalse();
    }

    @Test
    void anOrderlyMoveFromTheNodeThatRepeatsExplainsNothing() {
        assertThat(twice.moved(DUE + 10, DUE + 90, B, A).check().isSound()).isFalse();
    }

    @Test
    void anOrderlyCloseExplainsNothing() {
        Verdict verdict = twice.fault(DUE + 150, DUE + 160, Measures.CLOSE, A)
                .moved(DUE + 151, DUE + 159, A, B)
                .check();

        assertThat(verdict.findings().unexplained()).hasSize(1);
        assertThat(verdict.deliveries().inFlightAtFaults()).isZero();
    }

    @Test
    void aMoveFromANodeHitInMidDeliveryIsExplainedByTheFault() {
        Verdict verdict = twice.fault(DUE + 120, DUE + 190, "fill", A)
                .moved(DUE + 130, DUE + 180, A, B)
                .check();

        assertThat(verdict.isSound()).isTrue();
        assertThat(verdict.deliveries().duplicatesByCause()).containsOnlyKeys("fill");
    }
}

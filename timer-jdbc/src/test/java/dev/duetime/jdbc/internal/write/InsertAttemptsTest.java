package dev.duetime.jdbc.internal.write;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class InsertAttemptsTest {
    private static final int MANY = InsertAttempts.FEWEST;

    private final InsertAttempts attempts = new InsertAttempts();

    @Test
    void onlyLargeBatchesAreInserted() {
        assertThat(attempts.begin(MANY)).isTrue();
        assertThat(attempts.begin(MANY - 1)).isFalse();
    }

    @Test
    void aFailureStopsInsertsForSomeBatches() {
        attempts.failed();

        assertThat(batchesUntilAnInsert()).isEqualTo(InsertAttempts.SHORTEST_PAUSE);
    }

    @Test
    void smallBatchesDoNotCount() {
        attempts.failed();
        for (int i = 0; i < 2 * InsertAttempts.SHORTEST_PAUSE; i++) {
            attempts.begin(1);
        }

        assertThat(batchesUntilAnInsert()).isEqualTo(InsertAttempts.SHORTEST_PAUSE);
    }

    @Test
    void thePauseDoublesUpToALimit() {
        int expected = InsertAttempts.SHORTEST_PAUSE;
        for (int failure = 0; failure < 10; failure++) {
            attempts.failed();

            assertThat(batchesUntilAnInsert()).isEqualTo(expected);
            expected = Math.min(InsertAttempts.LONGEST_PAUSE, 2 * expected);
        }
    }

    @Test
    void failuresOfOneMomentCountOnce() {
        for (int caller = 0; caller < 8; caller++) {
            assertThat(attempts.begin(MANY)).isTrue();
        }
        for (int caller = 0; caller < 8; caller++) {
            attempts.failed();
        }

        assertThat(batchesUntilAnInsert()).isEqualTo(InsertAttempts.SHORTEST_PAUSE);
        attempts.failed();
        assertThat(batchesUntilAnInsert()).isEqualTo(2 * InsertAttempts.SHORTEST_PAUSE);
    }

    @Test
    void aSuccessMakesTheNextPauseShort() {
        attempts.failed();
        attempts.failed();
        attempts.succeeded();
        attempts.failed();

        assertThat(batchesUntilAnInsert()).isEqualTo(InsertAttempts.SHORTEST_PAUSE);
    }

    private int batchesUntilAnInsert() {
        int batches = 0;
        while (!attempts.begin(MANY)) {
            batches++;
        }
        return batches;
    }
}

package dev.duetime.engine.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The rule that reads leave room in a small heap for what a database in the same process needs, and for each other. */
class ReadBytesTest {
    private static final long MEBIBYTE = 1024 * 1024;

    @ParameterizedTest
    @CsvSource({"64, 1", "128, 2", "512, 8", "4096, 8"})
    void aReadTakesAPartOfASmallHeap(long heap, long read) {
        assertThat(ReadBytes.of(heap * MEBIBYTE, 1)).isEqualTo(read * MEBIBYTE);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 20, 1_000})
    void allQueuesTogetherTakeAQuarterOfTheHeap(int queues) {
        long heap = 256 * MEBIBYTE;

        assertThat(8L * queues * ReadBytes.of(heap, queues)).isLessThanOrEqualTo(heap / 4);
    }
}

package dev.duetime.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rule that one read leaves room in a small heap for what a database in the same process needs. */
class ReadWindowTest {
    private static final long MEBIBYTE = 1024 * 1024;

    @ParameterizedTest
    @CsvSource({"64, 1", "128, 2", "512, 8", "4096, 8"})
    void aReadTakesAPartOfASmallHeap(long heap, long read) {
        assertThat(ReadWindow.mostBytes(heap * MEBIBYTE)).isEqualTo(read * MEBIBYTE);
    }
}

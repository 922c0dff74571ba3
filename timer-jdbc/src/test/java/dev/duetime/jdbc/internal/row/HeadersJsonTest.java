package dev.duetime.jdbc.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeadersJsonTest {

    private static String nameOfAHeader(String name) {
        return HeadersJson.read("{\"" + name + "\":\"red\"}", null)
                .keySet()
                .iterator()
                .next();
    }

    /** Thousands of rows with the same headers are in memory. */
    @Test
    void twoRowsShareTheNameOfAHeader() {
        assertThat(nameOfAHeader("colour")).isEqualTo("colour").isSameAs(nameOfAHeader("colour"));
    }

    /** Such a name is not that of a header of ours. Nothing of it stays. */
    @Test
    void twoRowsDoNotShareALongName() {
        String name = "n".repeat(300);

        assertThat(nameOfAHeader(name)).isEqualTo(name).isNotSameAs(nameOfAHeader(name));
    }
}

package dev.duetime.jdbc.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HeadersJsonTest {

    private static String nameOfAHeader() {
        return HeadersJson.read("{\"colour\":\"red\"}", null)
                .keySet()
                .iterator()
                .next();
    }

    /** One row whose names have equal hashes would make the others slow. */
    @Test
    void twoRowsShareNoNameOfAHeader() {
        assertThat(nameOfAHeader()).isEqualTo("colour").isNotSameAs(nameOfAHeader());
    }
}

package dev.duetime.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {

    /** A header's name is the user's, and may hold what breaks a line or turns it around. */
    @ParameterizedTest
    @ValueSource(ints = {'\u2028', '\u202e', '\u200b'})
    void theFieldOfARefusedHeaderIsFitForALog(int odd) {
        String name = "a" + (char) odd + "b";

        assertThatExceptionOfType(LimitException.class)
                .isThrownBy(() -> Limits.header(name, "x".repeat(4_097)))
                .satisfies(refused -> assertThat(refused.field() + refused.getMessage())
                        .contains("header a")
                        .doesNotContain(String.valueOf((char) odd)));
    }
}

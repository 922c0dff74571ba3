package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.internal.Micros;
import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MicrosTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1970-01-01T00:00:00Z",
                "1969-12-31T23:59:59.999999Z",
                "0001-01-01T00:00:00.000001Z",
                "2026-11-21T10:15:00.123456Z",
                "9999-12-31T23:59:59.999999Z"
            })
    void wholeMicrosecondsReadBackUnchanged(String text) {
        Instant instant = Instant.parse(text);

        assertThat(Micros.ofLong(Micros.toLong(instant))).isEqualTo(instant);
        assertThat(Micros.ceil(instant)).isEqualTo(instant);
        assertThat(Micros.floor(instant)).isEqualTo(instant);
        assertThat(Micros.ceil(instant.plusNanos(1))).isEqualTo(instant.plusNanos(1_000));
        assertThat(Micros.floor(instant.plusNanos(999))).isEqualTo(instant);
    }
}

package dev.duetime.jdbc.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.TimerKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlacesTest {
    private final Places places = new Places();

    @ParameterizedTest
    @ValueSource(strings = {"(0,1)", "(17,4)", "(4294967294,65535)"})
    void aPlaceIsTakenOnce(String place) {
        places.note(key(1), 7, place);

        assertThat(places.take(key(1), 8)).isNull();
        assertThat(places.take(key(2), 7)).isNull();
        assertThat(places.take(key(1), 7)).isEqualTo(place);
        assertThat(places.take(key(1), 7)).isNull();
    }

    @Test
    void theLastPlaceCounts() {
        places.note(key(1), 7, "(0,1)");
        places.note(key(1), 7, "(0,2)");

        assertThat(places.take(key(1), 7)).isEqualTo("(0,2)");
        assertThat(places.take(key(1), 7)).isNull();
    }

    @Test
    void nearlyAllPlacesOfLargeBatchesAreKept() {
        int count = 16_000;
        for (int i = 0; i < count; i++) {
            places.note(key(i), i, "(" + i + ",1)");
        }

        int kept = 0;
        for (int i = 0; i < count; i++) {
            kept += ("(" + i + ",1)").equals(places.take(key(i), i)) ? 1 : 0;
        }

        assertThat(kept).isGreaterThan(count * 99 / 100);
    }

    @Test
    void newPlacesFindRoomAmongThoseThatNobodyTook() {
        for (int i = 0; i < 1_000_000; i++) {
            places.note(key(i), i, "(" + i + ",1)");
        }
        places.note(key(-1), 5, "(3,4)");

        assertThat(places.take(key(-1), 5)).isEqualTo("(3,4)");
    }

    private static TimerKey key(int i) {
        return TimerKey.of("tenant", "timer-" + i);
    }
}

package dev.duetime.jdbc.internal.row;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.internal.row.Revisions.Written;
import dev.duetime.store.NewTimer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Tests of how the result of an upsert is interpreted. */
class RevisionsTest {
    private static final List<NewTimer> TIMERS =
            LongStream.of(70, 30, 50).mapToObj(RevisionsTest::timer).toList();

    @Test
    void rowsInTheGivenOrderAreFound() {
        assertThat(Revisions.of(TIMERS, List.of(new Written(70, 1), new Written(30, 2), new Written(50, 3))))
                .containsExactly(1, 2, 3);
    }

    @Test
    void rowsInAnyOtherOrderAreFound() {
        assertThat(Revisions.of(TIMERS, List.of(new Written(50, 3), new Written(70, 1), new Written(30, 2))))
                .containsExactly(1, 2, 3);
        assertThat(Revisions.of(TIMERS, List.of(new Written(50, 3), new Written(30, 2))))
                .containsExactly(Revisions.HELD_BACK, 2, 3);
    }

    @Test
    void anAbsentTimerWasHeldBack() {
        assertThat(Revisions.of(TIMERS, List.of(new Written(70, 0), new Written(50, 0))))
                .containsExactly(0, Revisions.HELD_BACK, 0);
        assertThat(Revisions.of(TIMERS, List.of(new Written(50, 0))))
                .containsExactly(Revisions.HELD_BACK, Revisions.HELD_BACK, 0);
        assertThat(Revisions.of(TIMERS, List.of())).containsOnly(Revisions.HELD_BACK);
    }

    private static NewTimer timer(long generation) {
        TimerContent content = new TimerContent(
                "q", Instant.EPOCH, null, "type", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        return new NewTimer(TimerKey.of("a" + generation), 0, content, generation, Instant.EPOCH, false);
    }
}

package dev.duetime.lab.chaos.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Measures.Takeover;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MeasuresTest {
    private static final long KILLED = 10_000_000;

    @Test
    void aTakeoverLastsFromTheKillToTheFirstDeliveryOfAnotherNode() {
        History history = new Logs()
                .add(new Fault(KILLED, KILLED + 9, Measures.KILL, "a", Set.of(7)))
                .moved(KILLED, KILLED + 1, "a", "b")
                .delivered(1, KILLED - 1, 0, "b", 1)
                .delivered(2, KILLED + 5, 0, "a", 1)
                .delivered(3, KILLED + 2_000_000, 0, "b", 2)
                .delivered(4, KILLED + 3_000_000, 0, "b", 3)
                .history();

        assertThat(new Measures(history).takeovers()).containsExactly(new Takeover("a", 1, 2_000, 2_000));
    }

    @Test
    void theSpreadCountsNodesThatDeliveredNothing() {
        History history = new Logs()
                .delivered(1, 5, 0, "a", 1)
                .delivered(2, 10, 0, "a", 2)
                .history();

        assertThat(new Measures(history).spread(0, 10, List.of("a", "b"))).isEqualTo(Map.of("a", 1, "b", 0));
    }

    @Test
    void latenessCountsFirstDeliveriesOfTimersThatEveryNodeCouldKnow() {
        History history = new Logs()
                .schedule(1, 0, 6_000_000, "CREATED")
                .schedule(2, 2_000_000, 6_500_000, "RESCHEDULED")
                .delivered(1, 6_002_000, 6_000_000, "a", 1)
                .delivered(1, 6_009_000, 6_000_000, "b", 1)
                .delivered(2, 6_900_000, 6_500_000, "b", 1)
                .history();

        assertThat(new Measures(history).lateness(0, 10_000_000)).isEqualTo(new Measures.Lateness(1, 2, 2, 2));
    }

    @Test
    void aShardIsWithoutAnOwnerFromItsReleaseToItsNextAcquisition() {
        History history = new Logs()
                .moved(0, 1_000_000, "a", Entry.ALL)
                .add(new Entry.Moved(2_000_000, 2_500_000, 7, Entry.ALL, "b"))
                .history();

        assertThat(new Measures(history).longestWithoutOwnerMillis(0, 9_000_000))
                .isEqualTo(1_500);
    }
}

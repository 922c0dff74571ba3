package dev.duetime.engine.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.admin.NodeSample;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of the counts of deliveries when the clock is set back. */
class DeliveryRingTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:00:00Z");

    private final DeliveryRing ring = new DeliveryRing();

    private List<Integer> counts(Instant now) {
        return ring.sample("q", "n", 0, now).delivered();
    }

    @Test
    void aClockThatWasAheadForAMomentHidesNothingLater() {
        ring.delivered(NOW, NOW.plus(Duration.ofHours(1)));

        ring.delivered(NOW, NOW);
        Instant next = NOW.plus(NodeSample.SLOT);
        ring.delivered(next, next);
        ring.delivered(next, next);

        List<Integer> counts = counts(next);
        assertThat(counts).hasSize(NodeSample.SLOTS).endsWith(1, 2);
        assertThat(counts.stream().mapToInt(each -> each).sum()).isEqualTo(3);
    }

    @Test
    void aClockThatIsSetBackALittleKeepsTheCounts() {
        ring.delivered(NOW, NOW);
        ring.delivered(NOW, NOW.minusSeconds(60));

        assertThat(counts(NOW)).endsWith(0, 2);
    }
}

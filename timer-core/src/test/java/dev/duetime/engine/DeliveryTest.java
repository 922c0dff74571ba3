package dev.duetime.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.TimerKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeliveryTest {
    private static final List<Envelope> BATCH = List.of(envelope("a"), envelope("b"), envelope("c"));

    @Test
    void thoseThatAPartialFailureNamesFailedAndTheOthersAreDelivered() throws InterruptedException {
        Delivery.Result result = publish("b");

        assertThat(result.delivered).containsExactlyInAnyOrder("a", "c");
        assertThat(result.failed).containsOnlyKeys("b");
    }

    @Test
    void aPartialFailureThatNamesOthersThanTheBatchTellsNothing() throws InterruptedException {
        Delivery.Result result = publish("timer-b");

        assertThat(result.delivered).isEmpty();
        assertThat(result.isOutage()).isTrue();
    }

    private static Delivery.Result publish(String failedId) throws InterruptedException {
        Delivery delivery = new Delivery(
                batch -> {
                    throw new PartialPublishException(Map.of(failedId, new IllegalStateException("refused")));
                },
                (envelope, error) -> false,
                () -> 0L,
                () -> false);
        return delivery.publish(BATCH, List.of(), true);
    }

    private static Envelope envelope(String id) {
        DueTimeReached event =
                new DueTimeReached(TimerKey.of(id), "timer", Instant.EPOCH, Instant.EPOCH, null, null, Payload.NONE);
        return new Envelope(id, "default", 1, 0, Map.of(), event);
    }
}

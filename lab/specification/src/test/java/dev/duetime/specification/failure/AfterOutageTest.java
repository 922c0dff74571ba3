package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that an outage costs no tenant more than another, whichever was tried last before it ended. */
class AfterOutageTest {
    private static final int TENANTS = 4;
    private static final int EACH = 40;
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration A_FAILURE = Duration.ofMillis(220);

    private final Set<TimerKey> delivered = new HashSet<>();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.batchSize(10).publisher(this::publish))
            .build();
    private boolean isAway;

    private void publish(List<Envelope> batch) throws IOException {
        if (isAway) {
            kit.clock().linger(A_FAILURE);
            throw new IOException("away");
        }
        batch.forEach(each -> delivered.add(each.key()));
    }

    @Test
    void theTenantThatWasTriedLastWaitsNoLonger() {
        kit.scheduler().schedule(Timer.after(TimerKey.of("first", "a"), SECOND).build());
        kit.advance(SECOND.multipliedBy(4));
        for (int i = 0; i < TENANTS; i++) {
            String tenant = "tenant" + i;
            kit.scheduler()
                    .scheduleAll(IntStream.range(0, EACH)
                            .mapToObj(j -> Timer.after(TimerKey.of(tenant, "t" + j), SECOND)
                                    .build())
                            .toList());
        }
        isAway = true;
        kit.advance(SECOND.multipliedBy(21));
        isAway = false;
        kit.advance(SECOND.multipliedBy(35));

        assertThat(delivered).hasSize(1 + TENANTS * EACH);
    }
}

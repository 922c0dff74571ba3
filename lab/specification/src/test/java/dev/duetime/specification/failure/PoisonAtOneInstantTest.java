package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.Payload;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rule that poison hides no timer, although more of it than a read takes is due at one instant. Nothing has got
 * through before, so that it looks like an outage.
 */
class PoisonAtOneInstantTest {
    private static final int BATCH = 100;
    private static final int MORE_THAN_A_READ = 10 * BATCH;

    private final Set<String> delivered = new HashSet<>();
    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler.batchSize(BATCH).publisher(this::refuse))
            .build();
    private final Instant dueAt = kit.now().plusSeconds(1);

    private void refuse(List<Envelope> batch) throws IOException {
        if (batch.stream().anyMatch(each -> each.key().timerId().startsWith("bad"))) {
            throw new IOException("refused");
        }
        batch.forEach(
                each -> delivered.add(each.key().tenantId() + "/" + each.key().timerId()));
    }

    private static Timer timer(String tenant, String id, Instant dueAt, Payload payload) {
        return Timer.at(TimerKey.of(tenant, id), dueAt).payload(payload).build();
    }

    private void schedulePoison(int count, int bytes) {
        Payload payload = Payload.of(new byte[bytes]);
        kit.scheduler()
                .scheduleAll(IntStream.range(0, count)
                        .mapToObj(i -> timer("noisy", "bad-" + i, dueAt, payload))
                        .toList());
    }

    private void scheduleGood(String tenant, Instant at) {
        kit.scheduler().schedule(timer(tenant, "good", at, Payload.NONE));
    }

    @Test
    void aLaterTimerGetsThrough() {
        schedulePoison(MORE_THAN_A_READ, 1);
        scheduleGood("quiet", dueAt.plusSeconds(1));
        kit.advance(Duration.ofSeconds(15));

        assertThat(delivered).containsExactly("quiet/good");
    }

    @Test
    void aLaterTimerOfTheSameTenantGetsThrough() {
        schedulePoison(MORE_THAN_A_READ, 1);
        scheduleGood("noisy", dueAt.plusSeconds(1));
        kit.advance(Duration.ofSeconds(15));

        assertThat(delivered).containsExactly("noisy/good");
    }

    @Test
    void aTimerOfAnotherTenantAtTheSameInstantGetsThrough() {
        schedulePoison(MORE_THAN_A_READ, 1);
        scheduleGood("quiet", dueAt);
        kit.advance(Duration.ofSeconds(15));

        assertThat(delivered).containsExactly("quiet/good");
    }

    @Test
    void aTimerGetsThroughAlthoughLargePayloadsMakeReadsSmall() {
        schedulePoison(60, 700_000);
        scheduleGood("quiet", dueAt);
        kit.advance(Duration.ofSeconds(15));

        assertThat(delivered).containsExactly("quiet/good");
    }

    @Test
    void aTimerBehindPoisonOfSeveralInstantsGetsThrough() {
        schedulePoison(MORE_THAN_A_READ, 1);
        kit.scheduler()
                .scheduleAll(IntStream.range(0, MORE_THAN_A_READ)
                        .mapToObj(i -> timer("loud", "bad-later-" + i, dueAt.plusMillis(500), Payload.NONE))
                        .toList());
        scheduleGood("quiet", dueAt.plusSeconds(1));
        kit.advance(Duration.ofSeconds(30));

        assertThat(delivered).containsExactly("quiet/good");
    }

    /** The cost of its own tenant: it waits until something gets through, which shows that this is no outage. */
    @Test
    void aTimerOfTheSameTenantAtTheSameInstantGetsThroughOnceOthersDo() {
        schedulePoison(MORE_THAN_A_READ, 1);
        scheduleGood("noisy", dueAt);
        kit.advance(Duration.ofSeconds(10));
        assertThat(delivered).isEmpty();

        scheduleGood("quiet", kit.now().plusSeconds(1));
        kit.advance(Duration.ofSeconds(60));

        assertThat(delivered).contains("noisy/good", "quiet/good");
    }
}

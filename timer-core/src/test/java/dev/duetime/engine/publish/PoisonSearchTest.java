package dev.duetime.engine.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.JacksonCodec;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.RetryPolicy;
import dev.duetime.RetryRules;
import dev.duetime.StoredTimer;
import dev.duetime.SystemClock;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.internal.UserCode;
import dev.duetime.internal.timer.StoredTimers;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of what an answer of a publisher means for single envelopes. */
class PoisonSearchTest {
    private static final List<Parcel> BATCH = List.of(parcel("a"), parcel("b"), parcel("c"));

    @Test
    void aPartialFailureFailsExactlyTheNamedEnvelopes() throws InterruptedException {
        PublishCall.Result result = publish(BATCH.get(1).id());

        assertThat(result.delivered)
                .containsExactlyInAnyOrder(BATCH.get(0).id(), BATCH.get(2).id());
        assertThat(result.failed).containsOnlyKeys(BATCH.get(1).id());
    }

    @Test
    void aPartialFailureNamingOtherEnvelopesProvesNothing() throws InterruptedException {
        PublishCall.Result result = publish("of another batch");

        assertThat(result.delivered).isEmpty();
        assertThat(result.failed).isEmpty();
        assertThat(result.isOutage()).isTrue();
    }

    private static PublishCall.Result publish(String failedId) throws InterruptedException {
        SystemClock clock = new SystemClock();
        PublishCall call = new PublishCall(
                batch -> {
                    throw new PartialPublishException(Map.of(failedId, new IllegalStateException("refused")));
                },
                (envelope, error) -> false,
                () -> parcel -> true,
                new CrashAttempts(
                        attempts -> {},
                        new RetryPolicies(
                                RetryRules.of(RetryPolicy.fixed(Duration.ofSeconds(1))), Map.of(), Duration.ofDays(1))),
                new UserCode(() -> false),
                clock);
        PublishCall.Result result = new PublishCall.Result();
        new PoisonSearch(call, clock, () -> 0L).publish(BATCH, List.of(), true, result);
        return result;
    }

    private static Parcel parcel(String id) {
        TimerContent content = new TimerContent(
                "default", Instant.EPOCH, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        StoredTimer timer = new StoredTimer(
                TimerKey.of(id),
                0,
                content,
                TimerState.SCHEDULED,
                1,
                0,
                Instant.EPOCH,
                Instant.EPOCH,
                null,
                null,
                null);
        return new Parcel(
                timer, StoredTimers.envelope(timer, 1, Instant.EPOCH, JacksonCodec.standard()), Parcel.Lane.of(timer));
    }
}

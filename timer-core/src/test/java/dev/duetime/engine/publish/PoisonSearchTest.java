package dev.duetime.engine.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.PartialPublishException;
import dev.duetime.RetryPolicy;
import dev.duetime.RetryRules;
import dev.duetime.SystemClock;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.internal.UserCode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of what an answer of a publisher means for single envelopes. */
class PoisonSearchTest {
    private static final List<Parcel> BATCH = List.of(Parcels.of("t", "a"), Parcels.of("t", "b"), Parcels.of("t", "c"));

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
                new KeyOrder(1, timer -> false),
                () -> parcel -> true,
                new CrashAttempts(
                        attempts -> {},
                        new RetryPolicies(
                                RetryRules.of(RetryPolicy.fixed(Duration.ofSeconds(1))), Map.of(), Duration.ofDays(1))),
                begun -> begun,
                new UserCode(() -> false),
                clock);
        PublishCall.Result result = new PublishCall.Result();
        new PoisonSearch(call, clock, () -> 0L, new SuspectedLanes(), false).publish(BATCH, List.of(), true, result);
        return result;
    }
}

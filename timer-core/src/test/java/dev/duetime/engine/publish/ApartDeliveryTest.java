package dev.duetime.engine.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.RetryPolicy;
import dev.duetime.RetryRules;
import dev.duetime.SystemClock;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.publish.PublishCall.Result;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.internal.UserCode;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of retries of several lanes while nothing gets through. */
class ApartDeliveryTest {
    private static final Clock CLOCK = new SystemClock();

    private final List<String> tried = new ArrayList<>();
    private final SuspectedLanes suspected = new SuspectedLanes();
    private final ApartDelivery delivery = new ApartDelivery(CLOCK, new FailingLanes(), suspected, new Random(1), 500);

    private Result publish(List<Parcel> parcels) throws InterruptedException {
        Result result = new Result();
        delivery.publish(delivery.inTurn(parcels, false, false), false, call(), result);
        result.failedAlone.forEach(suspected::failed);
        return result;
    }

    @Test
    void theSecondLaneIsTriedThoughTheFirstOneIsFullOfPoison() throws InterruptedException {
        List<Parcel> parcels = new ArrayList<>(IntStream.range(0, 1_000)
                .mapToObj(i -> Parcels.of("noisy", "bad-" + i))
                .toList());
        parcels.add(Parcels.of("quiet", "good"));

        Result result = publish(parcels);

        assertThat(result.delivered).containsExactly(parcels.get(1_000).id());
        assertThat(tried).filteredOn(each -> each.startsWith("bad")).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void theLaneThatFailedLeastIsTriedFirst() throws InterruptedException {
        List<Parcel> parcels = new ArrayList<>(IntStream.range(0, 1_000)
                .mapToObj(i -> Parcels.of("noisy-" + i % 4, "bad-" + i))
                .toList());
        parcels.add(Parcels.of("quiet", "good"));
        int turns = 0;
        Result result = new Result();
        while (result.delivered.isEmpty() && turns < 10) {
            result = publish(parcels);
            turns++;
        }

        assertThat(turns).isLessThanOrEqualTo(3);
    }

    private PublishCall call() {
        return new PublishCall(
                batch -> {
                    batch.forEach(each -> tried.add(each.key().timerId()));
                    if (batch.stream().anyMatch(each -> each.key().timerId().startsWith("bad"))) {
                        throw new IOException("refused");
                    }
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
                CLOCK);
    }
}

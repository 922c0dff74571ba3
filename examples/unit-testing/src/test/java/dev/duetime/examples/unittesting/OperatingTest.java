package dev.duetime.examples.unittesting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Scheduler;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerAdmin;
import dev.duetime.admin.TimerCount;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The code that docs/operations.md shows. */
class OperatingTest {

    @Test
    void anOperatorCountsListsRevivesCancelsPurgesPausesAndProbes() {
        TimerKit kit = TimerKit.builder()
                .configure(settings -> settings.queue("mail", queue -> queue.publisher(batch -> {})))
                .build();
        Scheduler scheduler = kit.scheduler();
        scheduler.schedule(TimerKey.of("acme", "a"), Duration.ofDays(1), null);
        scheduler.schedule(TimerKey.of("gone", "b"), Duration.ofDays(1), null);
        Instant now = kit.now();

        TimerAdmin admin = scheduler.admin();

        List<TimerCount> counts = admin.count(TimerQuery.all().tenantId("acme"));
        List<StoredTimer> page =
                admin.query(TimerQuery.all().state(TimerState.DEAD).limit(50));

        long revived = admin.revive(TimerQuery.all().type("invoice").limit(1_000));
        long delivered = admin.deliverNow(TimerQuery.all().type("reminder"));
        long moved = admin.reschedule(TimerQuery.all().queue("mail"), now.plus(Duration.ofHours(8)));
        long cancelled = admin.cancel(TimerQuery.all().tenantId("gone"));
        long purged = admin.purge(TimerQuery.all().state(TimerState.DEAD), now.minus(Duration.ofDays(90)));

        admin.pause("mail");
        admin.resume("mail");

        boolean fine = admin.health().isHealthy(Duration.ofMinutes(2));

        assertThat(counts).containsExactly(new TimerCount("default", TimerState.SCHEDULED, 1));
        assertThat(page).isEmpty();
        assertThat(revived).isZero();
        assertThat(delivered).isZero();
        assertThat(moved).isZero();
        assertThat(cancelled).isEqualTo(1);
        assertThat(purged).isZero();
        assertThat(fine).isTrue();
    }
}

package dev.duetime.specification.passage;

import dev.duetime.RetryPolicy;
import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;

/** A kit on which versions of a program with different ticks are deployed, one after the other or side by side. */
abstract class DeployKit {
    static final Instant START = TestClock.START;
    private static final Duration ONE_MINUTE = Duration.ofMinutes(1);

    final List<String> told = new ArrayList<>();

    final TimerKit kit = kit(builder -> {});

    /** Polls and renews less often than usual, because the tests let days pass. */
    static TimerKit kit(Consumer<TimerKit.Builder> more) {
        TimerKit.Builder builder = TimerKit.builder()
                .notStarted()
                .configure(scheduler -> scheduler.leaseDuration(ONE_MINUTE).pollInterval(ONE_MINUTE));
        more.accept(builder);
        return builder.build();
    }

    @AfterEach
    void close() {
        kit.close();
    }

    KitNode deploy(PassageOfTime.Builder time) {
        PassageOfTime built = time.build();
        KitNode node = kit.addNode(scheduler -> scheduler.extension(built));
        kit.runDue();
        return node;
    }

    PassageOfTime.Builder minutes() {
        return PassageOfTime.builder().on(MinuteHasPassed.class, "minutes", event -> told.add("minute " + event.now()));
    }

    PassageOfTime.Builder minutesAndHours() {
        return minutes().on(HourHasPassed.class, "hours", event -> told.add("hour " + event.now()));
    }

    Optional<StoredTimer> tick(String id) {
        return kit.store().find(TimerKey.of("duetime", id));
    }

    static Instant minute(long minutes) {
        return START.plus(Duration.ofMinutes(minutes));
    }

    PassageOfTime.Builder minutesAndAllHours(PassageOfTime.Handler<HourHasPassed> handler) {
        return minutes()
                .retry(RetryPolicy.fixed(Duration.ofMinutes(10)))
                .on(HourHasPassed.class, "hours", CatchUp.ALL, handler);
    }

    static boolean leases(StoreCall call) {
        return call == StoreCall.ACQUIRE || call == StoreCall.RENEW;
    }

    /**
     * Returns a node that does not know the tick of the first hour and has postponed it for a minute. Its calls for
     * leases fail from now on, so it loses the tick to another node.
     */
    KitNode relieved() {
        KitNode first = deploy(minutesAndAllHours(event -> {}));
        first.close();
        KitNode old = deploy(minutes());
        kit.advance(Duration.ofMinutes(61));
        old.storeDown(DeployKit::leases);
        return old;
    }
}

package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.RateLimit;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.OwnTransaction;
import dev.duetime.store.WakeUp;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that steady news of other timers holds up no timer with a parallel key behind the backlog of a limited type.
 * The loop must know the keys of the whole backlog first, which takes half a second here.
 */
class NewsBesideBacklogTest {
    private static final String QUEUE = "default";
    private static final int BACKLOG = 4_000;
    private static final int QUICK = 10;
    private static final Duration STEP = Duration.ofMillis(100);

    /** The first quick timer is due after this time: then all keys are known. */
    private static final Duration KNOWN = Duration.ofSeconds(2);

    private static final Duration TIME = Duration.ofSeconds(5);

    private final List<Duration> lateness = new ArrayList<>();
    private int slow;

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .shards(4)
                    .batchSize(10)
                    .publisher(this::publish)
                    .queue(QUEUE, queue -> queue.type("slow", type -> type.rateLimit(RateLimit.perSecond(1)))))
            .build();

    private final KitNode node = kit.node(0);

    private void publish(List<Envelope> batch) {
        for (Envelope each : batch) {
            if (each.event().type().equals("quick")) {
                lateness.add(Duration.between(each.event().dueAt(), kit.now()));
            } else if (each.event().type().equals("slow")) {
                slow++;
            }
        }
    }

    @AfterEach
    void close() {
        kit.close();
    }

    private void backlog() {
        Instant first = kit.now().minusSeconds(3600);
        kit.scheduler()
                .scheduleAll(IntStream.range(0, BACKLOG)
                        .mapToObj(i -> Timer.at("slow" + i, first.plusMillis(i))
                                .type("slow")
                                .parallelKey("slow" + i % 500)
                                .build())
                        .toList());
    }

    /** Lets quick timers become due behind a backlog, while something happens ten times a second. */
    private void meanwhile(IntConsumer news) {
        backlog();
        kit.scheduler()
                .scheduleAll(IntStream.range(0, QUICK)
                        .mapToObj(
                                i -> Timer.at("quick" + i, kit.now().plus(KNOWN).plusMillis(200L * i))
                                        .type("quick")
                                        .parallelKey("quick" + i)
                                        .build())
                        .toList());
        int reads = node.calls(StoreCall.DUE);
        for (int i = 0; i < TIME.dividedBy(STEP); i++) {
            kit.advance(STEP);
            news.accept(i);
        }
        assertThat(lateness).hasSize(QUICK).allSatisfy(late -> assertThat(late).isLessThan(Duration.ofSeconds(1)));
        assertThat(slow).isBetween(4, 7);
        assertThat(node.calls(StoreCall.DUE) - reads).isLessThan(2_000);
    }

    private Timer.Builder later(int i) {
        return Timer.at("later" + i, kit.now().plusSeconds(4_000)).type("other");
    }

    private Timer recurring(int i) {
        return Timer.recurring(TimerKey.of("recurring" + i), Recurrence.every(Duration.ofHours(5)))
                .type("other")
                .build();
    }

    @Test
    void nothingElse() {
        meanwhile(i -> {});
    }

    @Test
    void hintsOfOtherNodes() {
        meanwhile(i -> IntStream.range(0, 2)
                .forEach(twice -> kit.store().wakeUps().send(List.of(new WakeUp(QUEUE, Set.of(0), kit.now())))));
    }

    @Test
    void timersThatThisNodeSchedules() {
        meanwhile(i -> kit.scheduler().schedule(later(i).build()));
    }

    @Test
    void recurringTimersThatThisNodeSchedules() {
        meanwhile(i -> kit.scheduler().schedule(recurring(i)));
    }

    @Test
    void recurringTimersInATransactionOfTheCaller() {
        meanwhile(i -> {
            try (OwnTransaction transaction = kit.store().begin()) {
                kit.scheduler().in(transaction.transaction()).schedule(recurring(i));
                transaction.commit();
            }
        });
    }

    @Test
    void timersThatAnOperatorDeliversNow() {
        kit.scheduler()
                .scheduleAll(
                        IntStream.range(0, 100).mapToObj(i -> later(i).build()).toList());
        meanwhile(i -> kit.scheduler().admin().deliverNow(TimerKey.of("later" + i)));
    }

    @Test
    void timersThatAnOperatorReschedules() {
        kit.scheduler()
                .scheduleAll(
                        IntStream.range(0, 100).mapToObj(i -> later(i).build()).toList());
        meanwhile(i -> kit.scheduler()
                .admin()
                .reschedule(TimerKey.of("later" + i), kit.now().plusSeconds(2)));
    }

    /** Returns a slow timer that is due, and a quick one of the same parallel key that is due a millisecond later. */
    private List<Timer> pair(int i) {
        Instant now = kit.now();
        return List.of(
                Timer.at("first" + i, now.minusMillis(1))
                        .type("slow")
                        .parallelKey("pair" + i)
                        .build(),
                Timer.at("second" + i, now)
                        .type("quick")
                        .parallelKey("pair" + i)
                        .build());
    }

    @Test
    void aRecurringTimerDoesNotHideTheOthersOfItsBatch() {
        backlog();
        kit.advance(KNOWN);
        IntStream.range(0, 20).forEach(i -> {
            List<Timer> batch = new ArrayList<>(pair(i));
            batch.add(recurring(i));
            kit.scheduler().scheduleAll(batch);
            kit.advance(STEP);
        });

        assertThat(lateness).isEmpty();
    }

    @Test
    void timersOfOneKeyKeepTheirOrderAmongSeveralHints() {
        backlog();
        kit.advance(KNOWN);
        try (TimerKit other = TimerKit.builder()
                .store(kit.store())
                .configure(scheduler -> scheduler.shards(4))
                .notStarted()
                .build()) {
            IntStream.range(0, 60).forEach(i -> {
                other.clock().advanceTo(kit.now());
                other.scheduler().scheduleAll(pair(i));
                other.runDue();
                kit.advance(STEP.dividedBy(2));
            });
        }

        assertThat(lateness).isEmpty();
    }
}

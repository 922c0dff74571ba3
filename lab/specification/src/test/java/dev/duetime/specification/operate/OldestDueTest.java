package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.QueueBuilder;
import dev.duetime.RateLimit;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.admin.QueueHealth;
import dev.duetime.specification.OverlappingTime;
import dev.duetime.store.LockedException;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.todo.NewTodo;
import dev.duetime.todo.Outcome;
import dev.duetime.todo.TodoQueue;
import dev.duetime.todo.TodoTypeBuilder;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The rule that health shows the oldest due timer whatever the reads of the loop leave out, and counts each timer that
 * waits for a permit once.
 */
class OldestDueTest {
    private static final Duration STEP = Duration.ofMillis(250);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration POLL = Duration.ofSeconds(2);

    /** A shown timer may have ended since the loop last asked for all: a polling interval ago, or two if it is busy. */
    private static final Duration LAG = POLL.multipliedBy(2).plus(SECOND);

    private static final int SHARDS = 4;
    private static final Set<Integer> ALL = IntStream.range(0, SHARDS).boxed().collect(Collectors.toSet());

    private final OverlappingTime clock = new OverlappingTime();
    private final HeldRow store = new HeldRow(clock);

    /** Since when a timer was due at the end of each step; its beginning if only timers of the step were. */
    private final List<Instant> dueSince = new ArrayList<>();

    private String queue = "default";
    private Duration each = Duration.ZERO;

    @SuppressWarnings("NullAway") // each test begins with node() or todos()
    private Scheduler scheduler;

    @SuppressWarnings("NullAway") // likewise
    private TodoQueue todos;

    /** A store in which another transaction may hold the row of the timer "held". */
    private static final class HeldRow extends PassThroughStore {
        boolean isHeld;

        HeldRow(Clock clock) {
            super(new InMemoryScheduleStore(clock));
        }

        private void check(List<Settlement> settlements) {
            if (isHeld
                    && settlements.stream().anyMatch(one -> one.key().timerId().equals("held"))) {
                throw new LockedException("settle", "held", new IOException("held"));
            }
        }

        @Override
        public int settle(List<Settlement> settlements) {
            check(settlements);
            return intact.settle(settlements);
        }
    }

    private void node(Consumer<SchedulerBuilder> settings) {
        scheduler = started(settings);
        clock.advance(SECOND.multipliedBy(30));
    }

    private Scheduler started(Consumer<SchedulerBuilder> settings) {
        SchedulerBuilder builder = Scheduler.builder()
                .store(store)
                .clock(clock)
                .shards(SHARDS)
                .batchSize(20)
                .pollInterval(POLL);
        settings.accept(builder);
        Scheduler node = builder.build();
        node.start();
        return node;
    }

    private void publisher(Consumer<QueueBuilder> settings) {
        node(builder -> builder.publisher(batch -> linger()).queue(queue, settings));
    }

    private void todos(int workers, Consumer<TodoTypeBuilder<String>> slow) {
        queue = "work";
        todos = TodoQueue.builder(queue)
                .type("fast", String.class, (todo, run) -> handle())
                .type("slow", String.class, (todo, run) -> handle(), slow)
                .workers(workers)
                .build();
        node(builder -> builder.todoQueue(todos));
    }

    private Outcome handle() {
        linger();
        return Outcome.complete();
    }

    private void linger() {
        if (!each.isZero()) {
            clock.linger(each);
        }
    }

    @AfterEach
    void close() {
        scheduler.close();
        clock.close();
    }

    /** Schedules timers of which one becomes due every ten milliseconds. */
    private void schedule(String type, int count) {
        Instant now = clock.now();
        scheduler.scheduleAll(IntStream.range(0, count)
                .mapToObj(i ->
                        Timer.at(type + i, now.plusMillis(10L * i)).type(type).build())
                .toList());
    }

    private void enqueue(String type, int count) {
        Instant now = clock.now();
        todos.enqueueAll(IntStream.range(0, count)
                .mapToObj(i -> NewTodo.of(type, "p").id(type + i).startAt(now.plusMillis(10L * i)))
                .toList());
    }

    private QueueHealth health() {
        return health(scheduler);
    }

    private QueueHealth health(Scheduler node) {
        return node.admin().health().queues().stream()
                .filter(one -> one.queue().equals(queue))
                .findFirst()
                .orElseThrow();
    }

    private @Nullable Instant truth() {
        return truth(ALL);
    }

    private @Nullable Instant truth(Set<Integer> shards) {
        Instant wakeAt = store.nextDue(queue, shards, Instant.MIN).wakeAt();
        return wakeAt == null || wakeAt.isAfter(clock.now()) ? null : wakeAt;
    }

    /** Lets time pass, and compares health with the store again and again. Returns for how long a timer was due. */
    private Duration check(Duration time) {
        int due = 0;
        for (int i = 0; i < time.dividedBy(STEP); i++) {
            clock.advance(STEP);
            Instant truth = truth();
            Instant shown = health().oldestDue();
            if (truth != null) {
                due++;
                assertThat(shown).as("shown at %s", clock.now()).isNotNull().isBeforeOrEqualTo(truth);
            }
            Instant before = clock.now().minus(STEP);
            dueSince.add(truth == null || truth.isAfter(before) ? before : truth);
            if (shown != null) {
                assertThat(shown).as("shown at %s", clock.now()).isAfterOrEqualTo(oldestLately());
            }
        }
        return STEP.multipliedBy(due);
    }

    /** Returns when the oldest timer was due that was due at any time lately. */
    private Instant oldestLately() {
        int last = dueSince.size();
        int first = Math.max(0, last - 1 - (int) LAG.dividedBy(STEP));
        return Collections.min(dueSince.subList(first, last));
    }

    private void assertNothingDue() {
        check(LAG);
        assertThat(truth()).isNull();
        assertThat(health().oldestDue()).isNull();
        assertThat(health().permitWait()).isNull();
    }

    @Test
    void timersOfALimitedTypeAreShown() {
        publisher(one -> one.type("slow", of -> of.rateLimit(RateLimit.perSecond(20))));
        schedule("slow", 400);

        assertThat(check(SECOND.multipliedBy(20))).isGreaterThan(SECOND.multipliedBy(15));
        assertNothingDue();
    }

    @Test
    void timersOfALimitedTypeAreShownBesideOthers() {
        publisher(one -> one.type("slow", of -> of.rateLimit(RateLimit.perSecond(2))));
        schedule("slow", 60);
        schedule("fast", 3_000);

        assertThat(check(SECOND.multipliedBy(35))).isGreaterThan(SECOND.multipliedBy(15));
        assertNothingDue();
    }

    @Test
    void eachNodeShowsTheTimersOfItsShardsAfterAHandover() {
        Consumer<SchedulerBuilder> settings = builder -> builder.publisher(batch -> linger())
                .queue(queue, one -> one.type("slow", of -> of.rateLimit(RateLimit.perSecond(4))));
        node(settings);
        schedule("slow", 400);
        clock.advance(SECOND.multipliedBy(10));
        try (Scheduler other = started(settings)) {
            clock.advance(SECOND.multipliedBy(20));
            for (int i = 0; i < 80; i++) {
                clock.advance(STEP);
                for (Scheduler node : List.of(scheduler, other)) {
                    Set<Integer> owned = store.leases()
                            .view(queue)
                            .heldBy(node.admin().health().nodeId());
                    assertThat(owned).hasSize(SHARDS / 2);
                    assertThat(health(node).oldestDue())
                            .as("shown at %s", clock.now())
                            .isNotNull()
                            .isBeforeOrEqualTo(truth(owned));
                }
            }
        }
    }

    @Test
    void timersOfALimitedQueueAreShown() {
        publisher(one -> one.rateLimit(RateLimit.perSecond(20)));
        schedule("slow", 400);

        assertThat(check(SECOND.multipliedBy(20))).isGreaterThan(SECOND.multipliedBy(15));
        assertNothingDue();
    }

    @Test
    void timersOfALimitedTenantAreShown() {
        publisher(one -> one.tenantRateLimit(RateLimit.perSecond(20)));
        schedule("slow", 400);

        assertThat(check(SECOND.multipliedBy(20))).isGreaterThan(SECOND.multipliedBy(15));
        assertNothingDue();
    }

    @Test
    void timersInCallsAreShown() {
        each = SECOND.multipliedBy(7);
        publisher(one -> one.concurrency(4));
        schedule("any", 300);

        assertThat(check(SECOND.multipliedBy(40))).isGreaterThan(SECOND.multipliedBy(15));
        assertNothingDue();
    }

    /** Calls always hold some, so that no read shows all. */
    @Test
    void aBusyQueueShowsNoTimerThatEndedLongAgo() {
        each = Duration.ofMillis(300);
        publisher(one -> one.concurrency(4));
        schedule("any", 4_000);

        assertThat(check(SECOND.multipliedBy(41))).isGreaterThan(SECOND.multipliedBy(35));
        assertNothingDue();
    }

    @Test
    void aStreamThatIsDeliveredAtOnceShowsNoOldTimer() {
        publisher(one -> {});
        schedule("any", 1_000);
        for (int i = 0; i < 40; i++) {
            clock.advance(STEP);
            Instant shown = health().oldestDue();
            assertThat(shown == null ? clock.now() : shown).isAfter(clock.now().minus(STEP));
        }
    }

    @Test
    void aBacklogWithoutALimitIsShown() {
        each = Duration.ofMillis(500);
        publisher(one -> {});
        schedule("any", 400);

        assertThat(check(SECOND.multipliedBy(20))).isGreaterThan(SECOND.multipliedBy(3));
        assertNothingDue();
    }

    @Test
    void aTimerWhoseRowIsHeldIsShownBesideOthers() {
        publisher(one -> {});
        store.isHeld = true;
        scheduler.schedule(Timer.at("held", clock.now()).build());
        schedule("fast", 2_000);
        assertThat(check(SECOND.multipliedBy(30))).isEqualTo(SECOND.multipliedBy(30));

        store.isHeld = false;
        check(SECOND.multipliedBy(10));
        assertNothingDue();
    }

    @Test
    void todosInTheBufferAreShown() {
        each = SECOND;
        todos(2, slow -> {});
        enqueue("fast", 40);

        assertThat(check(SECOND.multipliedBy(22))).isGreaterThan(SECOND.multipliedBy(15));
        assertNothingDue();
    }

    @Test
    void todosBehindAFullBufferAreShown() {
        each = Duration.ofMillis(100);
        todos(2, slow -> {});
        enqueue("fast", 500);

        assertThat(check(SECOND.multipliedBy(30))).isGreaterThan(SECOND.multipliedBy(15));
        assertNothingDue();
    }

    @Test
    void aTodoThatRunsForLongIsShown() {
        each = SECOND.multipliedBy(20);
        todos(2, slow -> {});
        enqueue("fast", 1);

        assertThat(check(SECOND.multipliedBy(25))).isGreaterThan(SECOND.multipliedBy(15));
        assertNothingDue();
    }

    @Test
    void todosOfALimitedTypeAreShownBesideOthers() {
        todos(4, slow -> slow.rateLimit(RateLimit.perSecond(10)));
        enqueue("slow", 200);
        enqueue("fast", 1_500);

        assertThat(check(SECOND.multipliedBy(25))).isGreaterThan(SECOND.multipliedBy(12));
        assertNothingDue();
    }

    @Test
    void noMoreTimersOfATypeWaitForPermitsThanAreDue() {
        publisher(one -> one.type("slow", of -> of.rateLimit(RateLimit.perSecond(20))));
        schedule("slow", 400);
        schedule("fast", 1_500);
        assertWaitingAreDue();
    }

    @Test
    void noMoreTimersOfTenantsWaitForPermitsThanAreDue() {
        publisher(one -> one.tenantRateLimit(RateLimit.perSecond(2)));
        Instant now = clock.now();
        scheduler.scheduleAll(IntStream.range(0, 700)
                .mapToObj(i -> Timer.at(TimerKey.of("tenant" + i % 40, "t" + i), now.plusMillis(i))
                        .build())
                .toList());
        assertWaitingAreDue();
    }

    private void assertWaitingAreDue() {
        int most = 0;
        for (int i = 0; i < 120; i++) {
            clock.advance(STEP);
            QueueHealth.PermitWait wait = health().permitWait();
            int waiting = wait == null ? 0 : wait.timers();
            long due = store.pending(queue, ALL, 100_000).values().stream()
                    .mapToLong(one -> one)
                    .sum();
            assertThat(waiting).as("at %s", clock.now()).isLessThanOrEqualTo((int) due);
            most = Math.max(most, waiting);
        }
        assertThat(most).isGreaterThan(10);
        assertThat(health().permitWait()).isNull();
    }
}

package dev.duetime.specification.outage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardLeases;
import dev.duetime.store.ShardMap.Lease;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.PassThroughLeases;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of how a node knows the store's time, which it carries by a monotonic count. */
class StoreTimeTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final TestClock.Node machine = clock.node("machine");
    private final InMemoryPublisher publisher = new InMemoryPublisher();
    private final InMemoryScheduleStore intact = new InMemoryScheduleStore(clock);
    private final SlowStore store = new SlowStore(intact);

    private Instant lastRead = Instant.MIN;
    private Duration beforeAnswers = Duration.ZERO;
    private Duration backwards = Duration.ZERO;
    private int slowAnswers;
    private int scheduled;
    private boolean renewing = true;

    private final class SlowStore extends PassThroughStore {
        SlowStore(ScheduleStore intact) {
            super(intact);
        }

        @Override
        public DueTimers due(DueQuery query) {
            lastRead = clock.now();
            return super.due(query);
        }

        @Override
        public ShardLeases leases() {
            return new PassThroughLeases(intact.leases()) {
                @Override
                public Instant now() {
                    clock.linger(beforeAnswers);
                    Instant now = super.now().minus(backwards);
                    if (slowAnswers > 0) {
                        slowAnswers--;
                        clock.linger(SECOND.multipliedBy(2));
                    }
                    return now;
                }

                @Override
                public int renew(String node, Instant until) {
                    if (!renewing) {
                        throw new StoreException("renew", node, new IOException("no connection"));
                    }
                    return super.renew(node, until);
                }
            };
        }
    }

    private Scheduler start() {
        return start(machine);
    }

    private Scheduler start(Clock carrier) {
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .carrier(carrier)
                .publisher(publisher)
                .pollInterval(Duration.ofMillis(100))
                .build();
        scheduler.start();
        clock.runDue();
        return scheduler;
    }

    private void schedule(Scheduler scheduler, Duration delay) {
        scheduler.schedule(Timer.at("t-" + scheduled++, clock.now().plus(delay)).build());
    }

    @Test
    void jumpsOfTheWallClockDoNotMatter() {
        Scheduler scheduler = start();
        schedule(scheduler, SECOND.multipliedBy(10));
        machine.jump(Duration.ofHours(1));
        clock.advance(SECOND.multipliedBy(9));
        machine.jump(Duration.ofHours(-2));
        clock.advance(SECOND.minusNanos(1_000));
        assertThat(publisher.delivered()).isEmpty();
        clock.advance(Duration.ofNanos(1_000));
        assertThat(publisher.delivered()).hasSize(1);
    }

    @Test
    void theStoreIsAskedAgainIfItsAnswerTookLong() {
        slowAnswers = 1;
        Scheduler scheduler = start();
        schedule(scheduler, SECOND);
        clock.advance(SECOND);
        assertThat(publisher.delivered()).hasSize(1);
    }

    @Test
    void aSlowFirstTimeSampleIsCorrectedAtTheNextRenewal() {
        slowAnswers = 3;
        Scheduler scheduler = start();
        schedule(scheduler, SECOND.multipliedBy(5));
        clock.advance(SECOND.multipliedBy(5));
        assertThat(publisher.delivered()).hasSize(1);
    }

    @Test
    void aNodeWithOutdatedTimeTakesNoLeasesOfOthers() {
        Scheduler scheduler = start();
        intact.leases()
                .release("default", Set.of(0, 1), scheduler.admin().health().nodeId());
        backwards = Duration.ofHours(2);
        intact.leases()
                .acquire(
                        "default",
                        Set.of(0, 1),
                        "other",
                        clock.now().minus(backwards),
                        clock.now().minus(backwards).plusSeconds(50));
        clock.advance(SECOND.multipliedBy(40));
        assertThat(intact.leases().view("default").leases())
                .filteredOn(lease -> lease.shard() < 2)
                .extracting(Lease::owner)
                .containsOnly("other");
    }

    @Test
    void aNodeWithASlowClockStopsBeforeItsLeaseEnds() {
        slowAnswers = Integer.MAX_VALUE;
        Scheduler scheduler = start();
        renewing = false;
        for (int i = 0; i < 200; i++) {
            schedule(scheduler, Duration.ZERO);
            clock.advance(Duration.ofMillis(100));
        }
        Instant until = Objects.requireNonNull(
                intact.leases().view("default").leases().get(0).until());
        assertThat(lastRead).isAfter(until.minus(SECOND)).isBeforeOrEqualTo(until);
    }

    /**
     * The first answer is the most exact one. Later answers only confirm it, and would not stop the clock from running
     * ahead.
     */
    @Test
    void aFastMonotonicClockDoesNotRunAheadOfASlowStore() {
        Scheduler scheduler = start(new FastCarrier());
        beforeAnswers = Duration.ofMillis(90);
        List<Duration> lateness = new ArrayList<>();
        publisher.onEach(
                envelope -> lateness.add(Duration.between(envelope.event().dueAt(), clock.now())));
        for (int minute = 0; minute < 60; minute++) {
            schedule(scheduler, SECOND);
            clock.advance(Duration.ofMinutes(1));
        }
        assertThat(lateness)
                .hasSize(60)
                .allSatisfy(each -> assertThat(each).isGreaterThan(FastCarrier.FAST_A_MINUTE.negated()));
    }

    /** A monotonic clock that counts each minute 10 parts in a million too short. */
    private final class FastCarrier implements Clock {
        static final Duration FAST_A_MINUTE = Duration.ofNanos(600_000);

        @Override
        public Instant now() {
            return machine.now();
        }

        @Override
        public long nanoTime() {
            long nanos = machine.nanoTime();
            return nanos + nanos / 100_000;
        }

        @Override
        public Loop start(String name, Pass pass) {
            return machine.start(name, pass);
        }

        @Override
        public Loop start(String name, Pass pass, Clock time) {
            return machine.start(name, pass, time);
        }
    }

    @Test
    void aClockWhoseLoopsWaitByItsOwnTimeOnlyIsRefused() {
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .carrier(clock)
                .publisher(publisher)
                .build();
        assertThatThrownBy(scheduler::start)
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessage("loops must wait by the time of this clock, a dev.duetime.testkit.TestClock");
    }
}

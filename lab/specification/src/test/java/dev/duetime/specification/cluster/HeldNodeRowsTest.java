package dev.duetime.specification.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.duetime.Envelope;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.CollisionException;
import dev.duetime.store.Permits;
import dev.duetime.store.RefusedException;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rule that a held limit or hint of one queue delays no other queue. Another transaction holds those of "held". */
class HeldNodeRowsTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final PassThroughStore store = new PassThroughStore(new InMemoryScheduleStore(clock)) {
        @Override
        public Permits permits() {
            return new HeldPermits(intact.permits());
        }

        @Override
        public WakeUps wakeUps() {
            return new HeldHints(intact.wakeUps());
        }
    };
    private final List<String> delivered = new ArrayList<>();
    private boolean isHeld = true;

    /** Why the rows of "held" cannot be written. */
    private StoreException reason = new CollisionException("write", "held", new SQLException("locked"));

    private StoreException held() {
        return reason;
    }

    private final class HeldPermits implements Permits {
        private final Permits intact;

        HeldPermits(Permits intact) {
            this.intact = intact;
        }

        @Override
        public List<Ledger> ledgers() {
            return intact.ledgers();
        }

        @Override
        public Set<Limit> change(Collection<Change> changes) {
            if (isHeld && changes.stream().anyMatch(each -> each.limit().queue().equals("held"))) {
                throw held();
            }
            return intact.change(changes);
        }
    }

    private final class HeldHints implements WakeUps {
        private final WakeUps intact;

        HeldHints(WakeUps intact) {
            this.intact = intact;
        }

        @Override
        public boolean areKept() {
            return true;
        }

        @Override
        public void send(Collection<WakeUp> wakeUps) {
            if (isHeld && wakeUps.stream().anyMatch(each -> each.queue().equals("held"))) {
                throw held();
            }
            intact.send(wakeUps);
        }

        @Override
        public List<Sent> sent() {
            return intact.sent();
        }
    }

    private void deliverAll(List<Envelope> batch) {
        batch.forEach(each -> delivered.add(each.key().timerId()));
    }

    private void refused() {
        reason = new RefusedException("write", "held", new SQLException("by a trigger"));
    }

    private Scheduler node() {
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .queue("free", queue -> queue.concurrencyLimit(1).publisher(this::deliverAll))
                .queue("held", queue -> queue.concurrencyLimit(1).publisher(this::deliverAll))
                .build();
        scheduler.start();
        return scheduler;
    }

    @Test
    void theLimitOfAnotherQueueIsExchanged() {
        try (Scheduler scheduler = node()) {
            clock.runDue();
            scheduler.schedule(Timer.after("h", SECOND).queue("held").build());
            scheduler.schedule(Timer.after("f", SECOND).queue("free").build());
            clock.advance(SECOND.multipliedBy(30));
            assertThat(delivered).containsExactly("f");

            isHeld = false;
            clock.advance(SECOND.multipliedBy(3));
            assertThat(delivered).containsExactly("f", "h");
        }
    }

    @Test
    void theLimitOfAnotherQueueIsExchangedIfTheDatabaseRefusesOne() {
        refused();
        theLimitOfAnotherQueueIsExchanged();
    }

    /** A queue whose limit cannot be written delivers nothing, but the store answers. */
    @Test
    void aRefusedLimitIsNoOutage() {
        refused();
        List<String> outages = new ArrayList<>();
        Scheduler scheduler = Scheduler.builder()
                .store(store)
                .clock(clock)
                .queue("held", queue -> queue.concurrencyLimit(1).publisher(this::deliverAll))
                .listener(new NodeListener() {
                    @Override
                    public void outageBegan(String what, Throwable cause) {
                        outages.add(what);
                    }
                })
                .build();
        try (scheduler) {
            scheduler.start();
            scheduler.schedule(Timer.after("h", SECOND).queue("held").build());
            clock.advance(SECOND.multipliedBy(30));
            assertThat(outages).isEmpty();

            isHeld = false;
            clock.advance(SECOND.multipliedBy(3));
            assertThat(delivered).containsExactly("h");
        }
    }

    @Test
    void theHintsOfAnotherQueueAreSentOnceIfTheDatabaseRefusesOne() {
        refused();
        theHintsOfAnotherQueueAreSentOnce();
    }

    @Test
    void theHintsOfAnotherQueueAreSentOnce() {
        Scheduler caller = Scheduler.builder()
                .store(store)
                .clock(clock)
                .queue("free", queue -> {})
                .queue("held", queue -> {})
                .build();
        try (caller) {
            caller.schedule(Timer.after("h", SECOND).queue("held").build());
            caller.schedule(Timer.after("f", SECOND).queue("free").build());
            clock.advance(SECOND.multipliedBy(30));
            assertThat(store.intact.wakeUps().sent())
                    .extracting(WakeUps.Sent::queue, WakeUps.Sent::count)
                    .containsExactly(tuple("free", 1L));

            isHeld = false;
            clock.advance(SECOND.multipliedBy(3));
            assertThat(store.intact.wakeUps().sent())
                    .extracting(WakeUps.Sent::queue)
                    .containsExactlyInAnyOrder("free", "held");
        }
    }
}

package dev.duetime.engine.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Clock;
import dev.duetime.RetryPolicy;
import dev.duetime.RetryRules;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.SuspectedLanes;
import dev.duetime.engine.loop.LoopWatch;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.engine.settle.CrashAttempts;
import dev.duetime.internal.UserCode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rule that a call always ends, also without memory: its timers must not stay in delivery. */
class CallThreadTest {
    private static final List<Parcel> BATCH = List.of(Parcels.of("t", "a"));

    private final List<Instant> turns = new ArrayList<>();
    private final WithoutMemory clock = new WithoutMemory();
    private final CallThread thread = new CallThread(new LoopWatch(clock), "call", call(), this::wakeLoop);

    private boolean cannotWake;

    private void wakeLoop() {
        if (cannotWake) {
            throw new OutOfMemoryError("no memory");
        }
        turns.add(Instant.EPOCH);
    }

    private PublishCall call() {
        return new PublishCall(
                batch -> {},
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
    }

    private CallJob job() {
        return new CallJob.OfBatch(
                BATCH,
                List.of(),
                false,
                true,
                call -> new PoisonSearch(call, clock, () -> 0L, new SuspectedLanes(), true));
    }

    @Test
    void aCallWhoseThreadCannotBeStartedHasFailed() {
        clock.hasThreads = false;

        thread.begin(job(), () -> parcel -> true);

        assertEndedWithoutMemory();
    }

    @Test
    void aCallThatFindsNoMemoryHasFailed() {
        clock.hasTime = false;

        thread.begin(job(), () -> parcel -> true);

        assertEndedWithoutMemory();
    }

    @Test
    void theNextTurnOfTheThreadWakesTheLoopIfThisOneCouldNot() {
        cannotWake = true;
        thread.begin(job(), () -> parcel -> true);
        assertThat(turns).isEmpty();
        cannotWake = false;

        clock.turn();
        clock.turn();

        assertThat(turns).hasSize(1);
        assertThat(thread.ended())
                .satisfies(ended -> assertThat(ended.result().delivered)
                        .containsExactly(BATCH.get(0).id()));
    }

    private void assertEndedWithoutMemory() {
        assertThat(turns).hasSize(1);
        assertThat(thread.ended()).satisfies(ended -> {
            assertThat(ended.batch()).isEqualTo(BATCH);
            assertThat(ended.result().error != null || ended.result().isBroken())
                    .isTrue();
            assertThat(ended.result().delivered).isEmpty();
        });
        assertThat(thread.isFree()).isFalse();
        thread.free();
        assertThat(thread.isFree()).isTrue();
    }

    /** A clock that runs a loop when it is woken, in the caller's thread. */
    private static final class WithoutMemory implements Clock {
        private boolean hasThreads = true;
        private boolean hasTime = true;
        private @Nullable Pass pass;

        void turn() {
            try {
                Objects.requireNonNull(pass).run();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Instant now() {
            if (!hasTime) {
                throw new OutOfMemoryError("no memory");
            }
            return Instant.EPOCH;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Loop start(String name, Pass started) {
            if (!hasThreads) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            pass = started;
            return new Loop() {
                @Override
                public void wakeAt(Instant time) {
                    turn();
                }

                @Override
                public boolean close(Duration limit) {
                    return true;
                }
            };
        }
    }
}

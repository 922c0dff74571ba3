package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.duetime.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class TestClockTest {
    private static final Instant START = TestClock.START;
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final TestClock clock = new TestClock();
    private final List<String> runs = new ArrayList<>();

    /** Starts a loop that runs at a fixed interval, and notes each time. */
    private Clock.Loop every(Duration interval, String name) {
        return clock.start(name, () -> {
            note(name);
            return clock.now().plus(interval);
        });
    }

    /** Starts a loop that runs once, and again whenever it is woken. */
    private Clock.Loop idle(String name) {
        return clock.start(name, () -> {
            note(name);
            return Instant.MAX;
        });
    }

    private void note(String name) {
        runs.add(name + "@" + Duration.between(START, clock.now()).toMillis());
    }

    @Nested
    class Time {
        @Test
        void standsStillUntilItIsAdvanced() {
            assertThat(clock.now()).isEqualTo("2030-01-01T00:00:00Z").isEqualTo(clock.now());
            assertThat(clock.nanoTime()).isZero();
        }

        @Test
        void movesByTheDurationAndToTheInstant() {
            clock.advance(Duration.ofMinutes(1));
            assertThat(clock.now()).isEqualTo(START.plusSeconds(60));
            clock.advanceTo(START.plusSeconds(61));
            assertThat(clock.now()).isEqualTo(START.plusSeconds(61));
            assertThat(clock.nanoTime()).isEqualTo(61_000_000_000L);
        }

        @Test
        void startsAtTheGivenTimeInWholeMicroseconds() {
            TestClock other = new TestClock(Instant.parse("1999-12-31T23:59:59.123456789Z"));
            assertThat(other.now()).isEqualTo("1999-12-31T23:59:59.123456Z");
            assertThat(other.nanoTime()).isZero();
        }

        @Test
        void movesInWholeMicrosecondsAndNeverEarly() {
            List<Instant> woken = new ArrayList<>();
            clock.start("loop", () -> {
                woken.add(clock.now());
                return START.plusNanos(1_001);
            });
            clock.advance(Duration.ofNanos(1_999));
            assertThat(clock.now()).isEqualTo(START.plusNanos(1_000));
            assertThat(woken).containsExactly(START);
            clock.advanceTo(START.plusNanos(1_999));
            assertThat(woken).containsExactly(START);
        }

        @Test
        void neverGoesBack() {
            clock.advance(SECOND);
            assertThatThrownBy(() -> clock.advance(Duration.ofNanos(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("duration must be at least PT0S but was PT-0.000000001S");
            assertThatThrownBy(() -> clock.advanceTo(START))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll("must not be before now 2030-01-01T00:00:01Z", "was 2030-01-01T00:00:00Z");
        }
    }

    @Nested
    class Loops {
        @Test
        void runFirstWhenTheClockIsAdvancedAndNotBefore() {
            every(SECOND, "a");
            assertThat(runs).isEmpty();
            clock.runDue();
            assertThat(runs).containsExactly("a@0");
        }

        @Test
        void runInOrderOfTimeEachAtItsInstant() {
            every(Duration.ofMillis(300), "a");
            every(Duration.ofMillis(200), "b");
            clock.advance(Duration.ofMillis(599));
            assertThat(runs).containsExactly("a@0", "b@0", "b@200", "a@300", "b@400");
        }

        @Test
        void runInOrderOfRegistrationAtOneInstant() {
            every(SECOND, "a");
            every(SECOND, "b");
            every(SECOND, "c");
            clock.advance(SECOND);
            assertThat(runs).containsExactly("a@0", "b@0", "c@0", "a@1000", "b@1000", "c@1000");
        }

        @Test
        void runWhatIsDueExactlyAtTheEnd() {
            every(SECOND, "a");
            clock.advance(SECOND.minus(Duration.ofNanos(1_000)));
            assertThat(runs).containsExactly("a@0");
            clock.advance(Duration.ofNanos(1_000));
            assertThat(runs).containsExactly("a@0", "a@1000");
        }

        @Test
        void runEarlierWhenWokenAndNotLater() {
            Clock.Loop loop = every(SECOND, "a");
            clock.runDue();
            loop.wakeAt(START.plusMillis(400));
            loop.wakeAt(START.plusMillis(700));
            clock.advance(Duration.ofMillis(900));
            assertThat(runs).containsExactly("a@0", "a@400");
        }

        @Test
        void runNowWhenWokenForThePast() {
            Clock.Loop loop = idle("a");
            clock.advance(SECOND);
            loop.wakeAt(Instant.MIN);
            clock.runDue();
            assertThat(runs).containsExactly("a@0", "a@1000");
        }

        @Test
        void keepAWakeUpThatComesDuringTheirTurn() {
            CompletableFuture<Clock.Loop> self = new CompletableFuture<>();
            self.complete(clock.start("a", () -> {
                note("a");
                if (runs.size() == 1) {
                    self.join().wakeAt(START.plusMillis(10));
                }
                return Instant.MAX;
            }));
            clock.advance(SECOND);
            assertThat(runs).containsExactly("a@0", "a@10");
        }

        @Test
        void canBeStartedDuringATurn() {
            clock.start("a", () -> {
                every(SECOND, "b");
                return Instant.MAX;
            });
            clock.advance(SECOND);
            assertThat(runs).containsExactly("b@0", "b@1000");
        }

        @Test
        void canBeWokenByOtherThreads() throws InterruptedException {
            Clock.Loop loop = idle("a");
            clock.runDue();
            Thread other = new Thread(() -> loop.wakeAt(clock.now().plusMillis(5)));
            other.start();
            other.join();
            clock.advance(SECOND);
            assertThat(runs).containsExactly("a@0", "a@5");
        }

        @Test
        void thatLetNoTimePassAreNamed() {
            clock.start("stubborn", clock::now);
            assertThatThrownBy(clock::runDue)
                    .isInstanceOf(AssertionError.class)
                    .hasMessage("loop stubborn ran 100000 times at 2030-01-01T00:00:00Z and lets no time pass");
        }

        @Test
        void mayTakeManyTurnsAsLongAsTimePasses() {
            clock.start("busy", () -> clock.now().plusNanos(1_000));
            clock.advance(Duration.ofMillis(200));
            assertThat(clock.now()).isEqualTo(START.plusMillis(200));
        }
    }

    @Nested
    class WhatATurnThrows {
        @Test
        void reachesTheCallerAndLeavesTimeAtThatInstant() {
            clock.start("a", () -> {
                if (clock.now().isAfter(START)) {
                    throw new IllegalArgumentException("broken");
                }
                return START.plusMillis(5);
            });
            assertThatThrownBy(() -> clock.advance(SECOND)).hasMessage("broken");
            assertThat(clock.now()).isEqualTo(START.plusMillis(5));
        }

        @Test
        void doesNotEndTheLoopWhichContinuesASecondLater() {
            clock.start("a", () -> {
                note("a");
                throw new AssertionError("broken");
            });
            assertThatThrownBy(clock::runDue).hasMessage("broken");
            clock.advance(Duration.ofMillis(999));
            assertThatThrownBy(() -> clock.advance(SECOND)).hasMessage("broken");
            assertThat(runs).containsExactly("a@0", "a@1000");
        }

        @Test
        void endsTheLoopIfItIsAnInterruptWhichIsRestored() {
            clock.start("a", () -> {
                note("a");
                throw new InterruptedException();
            });
            clock.runDue();
            assertThat(Thread.interrupted()).isTrue();
            clock.advance(Duration.ofHours(1));
            assertThat(runs).containsExactly("a@0");
        }
    }

    @Nested
    class Advancing {
        @Test
        void isRefusedFromInsideATurn() {
            clock.start("a", () -> {
                clock.advance(SECOND);
                return Instant.MAX;
            });
            assertThatThrownBy(clock::runDue)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("the clock cannot be advanced from inside a turn of a loop");
            assertThat(clock.now()).isEqualTo(START);
        }

        @Test
        void isRefusedWhileAnotherThreadAdvances() {
            AtomicReference<Throwable> refusal = new AtomicReference<>();
            clock.start("a", () -> {
                Thread other = new Thread(() -> refusal.set(catchThrowable(clock::runDue)));
                other.start();
                other.join();
                return Instant.MAX;
            });
            clock.runDue();
            assertThat(refusal.get())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("the clock is being advanced by thread ");
        }
    }
}

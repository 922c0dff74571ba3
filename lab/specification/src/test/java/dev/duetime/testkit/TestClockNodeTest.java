package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.testkit.fault.NodeCrash;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestClockNodeTest {
    private static final Instant START = TestClock.START;

    private final TestClock clock = new TestClock();
    private final TestClock.Node first = clock.node("first");
    private final TestClock.Node second = clock.node("second");
    private final List<String> runs = new ArrayList<>();

    private void every(Duration interval, TestClock.Node node, String name) {
        node.start(name, () -> {
            runs.add(name + "@" + Duration.between(START, clock.now()).toSeconds());
            return node.now().plus(interval);
        });
    }

    @Test
    void nodesShareTheTimeOfTheClock() {
        clock.advance(Duration.ofSeconds(3));
        assertThat(first.now()).isEqualTo(second.now()).isEqualTo(clock.now());
        assertThat(first.nanoTime()).isEqualTo(second.nanoTime()).isEqualTo(clock.nanoTime());
    }

    @Test
    void killingANodeRemovesItsLoopsAndNoOthers() {
        every(Duration.ofSeconds(2), first, "a");
        every(Duration.ofSeconds(2), first, "b");
        every(Duration.ofSeconds(2), second, "c");
        clock.runDue();
        first.kill();
        clock.advance(Duration.ofSeconds(2));
        assertThat(runs).containsExactly("a@0", "b@0", "c@0", "c@2");
    }

    @Test
    void aPausedNodeRunsNothingAndCatchesUpWhenResumed() {
        every(Duration.ofSeconds(1), first, "a");
        every(Duration.ofSeconds(1), second, "b");
        clock.runDue();
        first.pause();
        clock.advance(Duration.ofSeconds(3));
        assertThat(runs).containsExactly("a@0", "b@0", "b@1", "b@2", "b@3");
        first.resume();
        runs.clear();
        clock.advance(Duration.ofSeconds(1));
        assertThat(runs).containsExactly("a@3", "a@4", "b@4");
    }

    @Test
    void wallTimeJumpsAndTheMonotonicCountDoesNot() {
        clock.advance(Duration.ofSeconds(10));
        first.jump(Duration.ofHours(1));
        assertThat(first.now()).isEqualTo(START.plusSeconds(3_610));
        first.jump(Duration.ofHours(-2));
        assertThat(first.now()).isEqualTo(START.plusSeconds(10 - 3_600));
        assertThat(first.nanoTime()).isEqualTo(10_000_000_000L);
        assertThat(second.now()).isEqualTo(START.plusSeconds(10));
    }

    @Test
    void loopsWaitByTheWallTimeOfTheirNode() {
        every(Duration.ofSeconds(60), first, "a");
        clock.runDue();
        first.jump(Duration.ofSeconds(45));
        clock.advance(Duration.ofSeconds(15));
        assertThat(runs).containsExactly("a@0", "a@15");
    }

    /** Like a thread of the system clock: otherwise a jump back would stop all loops. */
    @Test
    void noLoopWaitsLongerBecauseTheWallTimeOfItsNodeJumpsBack() {
        every(Duration.ofSeconds(60), first, "a");
        clock.runDue();
        first.jump(Duration.ofHours(-1));
        clock.advance(Duration.ofSeconds(59));
        assertThat(runs).containsExactly("a@0");
        clock.advance(Duration.ofSeconds(1));
        assertThat(runs).containsExactly("a@0", "a@60");
        clock.advance(Duration.ofSeconds(60));
        assertThat(runs).containsExactly("a@0", "a@60", "a@120");
    }

    @Test
    void aLoopMayWaitByAnotherClock() {
        first.start(
                "a",
                () -> {
                    runs.add("a@" + Duration.between(START, clock.now()).toSeconds());
                    return clock.now().plusSeconds(60);
                },
                clock);
        clock.runDue();
        first.jump(Duration.ofSeconds(45));
        clock.advance(Duration.ofSeconds(60));
        assertThat(runs).containsExactly("a@0", "a@60");
    }

    @Test
    void whileALoopLingersAllOthersRun() {
        every(Duration.ofSeconds(1), first, "a");
        every(Duration.ofSeconds(1), second, "b");
        clock.runDue();
        runs.clear();
        first.start("slow", () -> {
            clock.linger(Duration.ofSeconds(2));
            return Instant.MAX;
        });
        clock.runDue();
        assertThat(runs).containsExactly("a@1", "b@1", "a@2", "b@2");
        assertThat(clock.now()).isEqualTo(START.plusSeconds(2));
    }

    @Test
    void aPausedNodeDoesNotRunWhileItLingers() {
        every(Duration.ofSeconds(1), first, "a");
        every(Duration.ofSeconds(1), second, "b");
        clock.runDue();
        runs.clear();
        first.start("slow", () -> {
            first.pause();
            clock.linger(Duration.ofSeconds(2));
            first.resume();
            return Instant.MAX;
        });
        clock.advance(Duration.ofSeconds(1));
        assertThat(runs).containsExactly("b@1", "b@2", "a@2");
    }

    @Test
    void aLoopThatLingersIsNotRunAgainMeanwhile() {
        List<String> turns = new ArrayList<>();
        Clock.Loop loop = first.start("slow", () -> {
            turns.add("begin");
            clock.linger(Duration.ofSeconds(5));
            turns.add("end");
            return Instant.MAX;
        });
        second.start("waker", () -> {
            loop.wakeAt(Instant.MIN);
            return Instant.MAX;
        });
        clock.advance(Duration.ofSeconds(1));
        assertThat(turns).containsExactly("begin", "end", "begin", "end");
    }

    @Test
    void lingeringOutsideOfATurnIsAdvancing() {
        every(Duration.ofSeconds(1), first, "a");
        clock.linger(Duration.ofSeconds(1));
        assertThat(runs).containsExactly("a@0", "a@1");
        assertThatThrownBy(() -> clock.linger(Duration.ofSeconds(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("duration must be at least PT0S but was PT-1S");
    }

    @Test
    void aLoopIsNamedWithItsNode() {
        first.start("stubborn", first::now);
        assertThatThrownBy(clock::runDue).hasMessageStartingWith("loop first/stubborn ran 100000 times");
    }

    @Test
    void aCrashInsideATurnOfAKilledNodeDoesNotReachTheTest() {
        first.start("a", () -> {
            first.kill();
            throw new NodeCrash("first");
        });
        every(Duration.ofSeconds(1), second, "b");
        clock.advance(Duration.ofSeconds(1));
        assertThat(runs).containsExactly("b@0", "b@1");
    }

    @Test
    void aCrashOfANodeThatWasNotKilledReachesTheTest() {
        first.start("a", () -> {
            throw new NodeCrash("second");
        });
        assertThatThrownBy(clock::runDue).isInstanceOf(NodeCrash.class).hasMessage("node second crashed");
    }
}

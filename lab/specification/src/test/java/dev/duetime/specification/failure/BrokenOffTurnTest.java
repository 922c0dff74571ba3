package dev.duetime.specification.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.specification.failure.BrokenOffNode.Seam;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The rule that an error between two steps leaves nothing in delivery and takes no permit for ever. Each test runs a
 * node again and again, and the heap is full once in each run: in the first run at the first call of the clock or the
 * store, in the second run some calls later, and so on, until a run has fewer calls. {@link EachBrokenOffTurnTest}
 * leaves out no call.
 */
class BrokenOffTurnTest {
    private static final int MOST_CALLS = 3_000;

    /** A prime number, so that the calls of turns that resemble each other are met at different places. */
    private static final int STRIDE = 13;

    /** Returns how many calls later the heap is full in the next run. */
    int stride() {
        return STRIDE;
    }

    private void sweep(Seam seam, BrokenOffQueue queue) {
        List<String> wrong = new ArrayList<>();
        int call = 1;
        while (queue.node().run(seam, call, wrong)) {
            call += stride();
            assertThat(call).isLessThan(MOST_CALLS);
        }
        assertThat(call).isGreaterThan(5);
        assertThat(wrong).as("in runs of up to %d calls", call).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void onePublishingLoopDeliversAll(Seam seam) {
        sweep(seam, BrokenOffQueue.ONE_CALL);
    }

    @ParameterizedTest
    @EnumSource
    void onePublishingLoopWithALimitDeliversAll(Seam seam) {
        sweep(seam, BrokenOffQueue.ONE_CALL_WITH_A_LIMIT);
    }

    @ParameterizedTest
    @EnumSource
    void threeCallsAtOnceDeliverAll(Seam seam) {
        sweep(seam, BrokenOffQueue.THREE_CALLS);
    }

    @ParameterizedTest
    @EnumSource
    void threeCallsAtOnceWithALimitDeliverAll(Seam seam) {
        sweep(seam, BrokenOffQueue.THREE_CALLS_WITH_A_LIMIT);
    }

    @ParameterizedTest
    @EnumSource
    void threeCallsAtOnceWithARateDeliverAll(Seam seam) {
        sweep(seam, BrokenOffQueue.THREE_CALLS_WITH_A_RATE);
    }

    @ParameterizedTest
    @EnumSource
    void workersRunAll(Seam seam) {
        sweep(seam, BrokenOffQueue.WORKERS);
    }

    @ParameterizedTest
    @EnumSource
    void workersWithALimitRunAll(Seam seam) {
        sweep(seam, BrokenOffQueue.WORKERS_WITH_A_LIMIT);
    }

    @ParameterizedTest
    @EnumSource
    void workersWithARateRunAll(Seam seam) {
        sweep(seam, BrokenOffQueue.WORKERS_WITH_A_RATE);
    }
}

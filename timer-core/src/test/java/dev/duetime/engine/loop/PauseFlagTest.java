package dev.duetime.engine.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.admin.QueuePause;
import dev.duetime.engine.report.Listeners;
import dev.duetime.listener.NodeListener;
import dev.duetime.listener.TimerListener;
import dev.duetime.store.NextDue;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rule that a change of the pause is done and reported, also if an error breaks that off. */
class PauseFlagTest {
    private static final QueuePause PAUSE = new QueuePause(Instant.EPOCH, "node-1");
    private static final NextDue PAUSED = new NextDue(null, PAUSE);
    private static final NextDue RUNNING = new NextDue(null, null);

    private final List<Boolean> reports = new ArrayList<>();
    private final List<Boolean> actions = new ArrayList<>();
    private final PauseFlag flag = new PauseFlag("mail", new Listeners(List.of(new Reports())));
    private boolean heapIsFull;

    private final class Reports implements TimerListener, NodeListener {
        @Override
        public void paused(String queue, boolean isPaused) {
            reports.add(isPaused);
        }
    }

    @BeforeEach
    void actsOnChanges() {
        flag.whenChanged(() -> {
            if (heapIsFull) {
                throw new OutOfMemoryError("heap is full");
            }
            actions.add(flag.isPaused());
        });
    }

    @Test
    void aChangeIsDoneAndReportedOnce() {
        flag.read(() -> PAUSED);
        flag.read(() -> PAUSED);
        flag.read(() -> RUNNING);
        flag.read(() -> RUNNING);

        assertThat(actions).containsExactly(true, false);
        assertThat(reports).containsExactly(true, false);
    }

    @Test
    void aReadRepeatsTheChangeThatAnErrorBrokeOff() {
        flag.set(PAUSE);
        heapIsFull = true;
        assertThatThrownBy(() -> flag.set(null)).isInstanceOf(OutOfMemoryError.class);
        heapIsFull = false;

        flag.read(() -> RUNNING);

        assertThat(actions).containsExactly(true, false);
        assertThat(reports).containsExactly(true, false);
    }

    @Test
    void anOperatorRepeatsTheChangeThatAnErrorBrokeOff() {
        flag.read(() -> PAUSED);
        heapIsFull = true;
        assertThatThrownBy(() -> flag.read(() -> RUNNING)).isInstanceOf(OutOfMemoryError.class);
        heapIsFull = false;

        flag.set(null);

        assertThat(actions).containsExactly(true, false);
        assertThat(reports).containsExactly(true, false);
    }

    /** The action sees the last state, and may have run for the first change before it broke off. */
    @Test
    void theActionRunsAfterTheLastOfSeveralChanges() {
        heapIsFull = true;
        assertThatThrownBy(() -> flag.set(PAUSE)).isInstanceOf(OutOfMemoryError.class);
        heapIsFull = false;

        flag.set(null);

        assertThat(actions).containsExactly(false);
        assertThat(reports).isEmpty();
    }
}

package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.admin.QueuePause;
import dev.duetime.store.NextDue;
import dev.duetime.store.StoreAdmin;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The rule that every {@code nextDue} of a paused queue reports the pause until the queue is resumed. Pausing a paused
 * queue keeps the first pause.
 */
abstract class PauseContract extends ContractPart {
    private final QueuePause pause = new QueuePause(NOW, unique("node"));
    private final QueuePause another = new QueuePause(NOW.plus(TICK), unique("node"));

    PauseContract(ScheduleStoreContract author) {
        super(author);
    }

    @Test
    void aQueueIsNotPausedAtFirst() {
        given(timer("a"));

        assertThat(store().nextDue(queue, List.of(0), Instant.MIN)).isEqualTo(new NextDue(NOW, null));
        assertThat(paused(queue)).isNull();
    }

    @Test
    void aPauseIsReportedForItsQueueOnlyAndEachTime() {
        assertThat(admin().pause(queue, pause)).isTrue();

        assertThat(paused(queue)).isEqualTo(pause);
        assertThat(paused(queue)).isEqualTo(pause);
        assertThat(paused(otherQueue)).isNull();
    }

    @Test
    void aPauseKeepsItsOperatorAndReason() {
        QueuePause told = new QueuePause(NOW, "node", "anna \u00E9", "the mail server's disk is full, see #17");

        admin().pause(queue, told);

        assertThat(paused(queue)).isEqualTo(told);
        assertThat(store().nextDue(queue, List.of(0, 1), Instant.MIN)).isEqualTo(new NextDue(null, told));
    }

    @Test
    void aPauseHidesNeitherNextNorDueTimers() {
        StoredTimer timer = given(timer("a"));

        admin().pause(queue, pause);

        assertThat(store().nextDue(queue, List.of(0, 1), Instant.MIN)).isEqualTo(new NextDue(NOW, pause));
        assertThat(store().nextDue(queue, List.of(1), Instant.MIN)).isEqualTo(new NextDue(null, pause));
        assertThat(dueKeys(NOW, 0)).containsExactly(timer.key());
    }

    @Test
    void aQueueThatIsPausedAlreadyKeepsItsFirstPause() {
        admin().pause(queue, pause);

        assertThat(admin().pause(queue, another)).isFalse();

        assertThat(paused(queue)).isEqualTo(pause);
    }

    @Test
    void aResumedQueueIsNotPausedAndMayBePausedAgain() {
        admin().pause(queue, pause);
        admin().pause(otherQueue, pause);

        assertThat(admin().resume(queue)).isTrue();

        assertThat(paused(queue)).isNull();
        assertThat(paused(otherQueue)).isEqualTo(pause);
        assertThat(admin().pause(queue, another)).isTrue();
        assertThat(paused(queue)).isEqualTo(another);
    }

    @Test
    void resumingAQueueThatIsNotPausedDoesNothing() {
        admin().pause(otherQueue, pause);

        assertThat(admin().resume(queue)).isFalse();

        assertThat(paused(otherQueue)).isEqualTo(pause);
    }

    @Test
    void oneOfSeveralConcurrentOperatorsPauses() {
        for (int round = 0; round < Race.ROUNDS; round++) {
            String raced = unique("q");

            List<Boolean> results =
                    Race.of(i -> () -> admin().pause(raced, new QueuePause(NOW.plusSeconds(i), "node-" + i)));

            int winner = results.indexOf(true);
            assertThat(results).containsOnlyOnce(true);
            assertThat(paused(raced)).isEqualTo(new QueuePause(NOW.plusSeconds(winner), "node-" + winner));
        }
    }

    private StoreAdmin admin() {
        return store().admin();
    }

    private @Nullable QueuePause paused(String name) {
        return store().nextDue(name, List.of(), Instant.MIN).pause();
    }
}

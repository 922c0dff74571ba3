package dev.duetime.engine.settle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.RetryPolicy;
import dev.duetime.RetryRules;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.settings.RetryPolicies;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueTimers;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of what a takeover that another thread notes means for concurrent reads. */
class CrashAttemptsTest {
    private static final int OWN = 1;
    private static final int TAKEN = 2;
    private static final StoredTimer TIMER = new StoredTimer(
            TimerKey.of("a"),
            TAKEN,
            new TimerContent(
                    "default",
                    Instant.EPOCH,
                    null,
                    "timer",
                    Payload.NONE,
                    Map.of(),
                    0,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null),
            TimerState.SCHEDULED,
            1,
            0,
            Instant.EPOCH,
            Instant.EPOCH,
            null,
            null,
            null);

    private final List<Settlement> written = new ArrayList<>();
    private Runnable duringTheWrite = () -> {};
    private final CrashAttempts attempts = new CrashAttempts(
            settlements -> {
                written.addAll(settlements);
                duringTheWrite.run();
            },
            new RetryPolicies(
                    RetryRules.of(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(2)),
                    Map.of(),
                    Duration.ofDays(1)));

    private static DueTimers due(StoredTimer... timers) {
        return new DueTimers(List.of(timers), List.of(), false);
    }

    @Test
    void aTakenOverShardStaysSuspectWhileOthersAreRead() {
        attempts.takenOver(TAKEN, Instant.EPOCH);
        attempts.beginRead(Set.of(OWN));
        attempts.read(due());
        attempts.beginRead(Set.of(OWN, TAKEN));
        attempts.read(due(TIMER));
        attempts.begin(List.of(TIMER));
        assertThat(written).hasSize(1);

        attempts.beginRead(Set.of(OWN, TAKEN));
        attempts.read(due());
        assertThat(attempts.isIdle()).isTrue();
    }

    @Test
    void aTakeoverDuringAReadOutlastsTheRead() {
        attempts.beginRead(Set.of(OWN, TAKEN));
        attempts.takenOver(TAKEN, Instant.EPOCH);
        attempts.read(due());
        attempts.begin(List.of(TIMER));
        assertThat(written).hasSize(1);
    }

    @Test
    void aTimerShowsItsAttemptWithoutTheCountInAdvance() {
        attempts.takenOver(TAKEN, Instant.EPOCH);
        attempts.begin(List.of(TIMER));
        attempts.begin(List.of(attempts.known(StoredTimers.withAttempt(TIMER, 1))));

        assertThat(written).hasSize(1);
        assertThat(attempts.known(StoredTimers.withAttempt(TIMER, 1))).isEqualTo(TIMER);
    }

    @Test
    void anAttemptOfAnotherNodeIsNotTakenForItsOwn() {
        attempts.takenOver(TAKEN, Instant.EPOCH);
        attempts.begin(List.of(TIMER));

        attempts.forget(Set.of(TAKEN));

        StoredTimer triedByAnother = StoredTimers.withAttempt(TIMER, 1);
        assertThat(attempts.known(triedByAnother)).isEqualTo(triedByAnother);
    }

    /** This node hung in the write, lost the shard to a node that counted the same attempt, and got it back. */
    @Test
    void anAttemptOfAnotherNodeDuringTheWriteIsNotTakenForItsOwn() {
        attempts.takenOver(TAKEN, Instant.EPOCH);
        duringTheWrite = () -> attempts.forget(Set.of(TAKEN));
        attempts.begin(List.of(TIMER));

        StoredTimer triedByAnother = StoredTimers.withAttempt(TIMER, 1);
        assertThat(attempts.known(triedByAnother)).isEqualTo(triedByAnother);
    }

    /** The former owner was stopped in its delivery, and wrote its outcome after this node had counted. */
    @Test
    void aFailureOfTheFormerOwnerIsNotTakenForItsOwnCount() {
        attempts.takenOver(TAKEN, Instant.EPOCH);
        attempts.begin(List.of(TIMER));

        Instant retryAt = Instant.EPOCH.plusSeconds(1);
        StoredTimer failed = StoredTimers.advanced(TIMER, TIMER.generation(), TIMER.content(), retryAt, 1, null);
        assertThat(attempts.known(failed)).isEqualTo(failed);
    }

    /** The store failed when its attempt was to be counted, so the timer did not begin. */
    @Test
    void aTimerThatMustBeAloneDoesNotWaitForItself() {
        attempts.takenOver(TAKEN, Instant.EPOCH);
        StoredTimer tried = StoredTimers.withAttempt(TIMER, 1);
        InFlight inFlight = new InFlight();
        inFlight.begin(tried);
        assertThat(attempts.mayBegin(tried, inFlight)).isTrue();
        inFlight.end(List.of(tried));

        inFlight.begin(tried);
        assertThat(attempts.mayBegin(tried, inFlight)).isTrue();
    }

    @Test
    void onlyTheLastAttemptIsMadeAlone() {
        attempts.takenOver(TAKEN, Instant.EPOCH);
        StoredTimer tried = StoredTimers.withAttempt(TIMER, 1);

        assertThat(attempts.together(List.of(TIMER, TIMER, tried, TIMER), 4)).isEqualTo(2);
        assertThat(attempts.together(List.of(tried, TIMER), 2)).isEqualTo(1);
        assertThat(attempts.mayBegin(TIMER, new InFlight())).isTrue();
    }
}

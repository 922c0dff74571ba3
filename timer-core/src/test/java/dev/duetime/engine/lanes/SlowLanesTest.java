package dev.duetime.engine.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SlowLanes.MadeCall;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The rule that a call of many timers and tenants which lasts leads to trials, and that these end. */
class SlowLanesTest {
    private static final long MINUTE = Duration.ofMinutes(1).toNanos();

    private final SlowLanes lanes = new SlowLanes();
    private long now;
    private int parcels;

    private Parcel parcel(String tenant) {
        TimerKey key = TimerKey.of(tenant, "timer" + parcels++);
        TimerContent content = new TimerContent(
                "default", Instant.EPOCH, null, "timer", Payload.NONE, Map.of(), 0, null, null, null, null, null, null);
        StoredTimer timer = new StoredTimer(
                key, 0, content, TimerState.SCHEDULED, 1, 0, Instant.EPOCH, Instant.EPOCH, null, null, null);
        DueTimeReached event = new DueTimeReached(key, "timer", Instant.EPOCH, Instant.EPOCH, null, null, Payload.NONE);
        return new Parcel(timer, new Envelope(key.toString(), "default", 1, 0, Map.of(), event), lane(tenant));
    }

    private static Lane lane(String tenant) {
        return new Lane(tenant, "timer", false);
    }

    /** Lets time pass, and notes a call that took so long. */
    private void call(long millis, int timersOfEach, String... tenants) {
        List<Parcel> batch = new ArrayList<>();
        for (String each : tenants) {
            IntStream.range(0, timersOfEach).forEach(i -> batch.add(parcel(each)));
        }
        long nanos = Duration.ofMillis(millis).toNanos();
        now += nanos;
        lanes.note(List.of(new MadeCall(batch, nanos, false)), now);
    }

    @Test
    void trialsShowWhichLaneOfADoubtfulCallIsSlow() {
        call(2_000, 30, "a", "b", "slow");
        assertThat(lanes.holdUpOthers(now)).isTrue();
        assertThat(lanes.batchSize(lane("a"), 50)).isEqualTo(1);

        call(20, 1, "a");
        call(20, 1, "b");
        call(2_000, 1, "slow");

        assertThat(lanes.isSlow(lane("a"))).isFalse();
        assertThat(lanes.isSlow(lane("b"))).isFalse();
        assertThat(lanes.isSlow(lane("slow"))).isTrue();
        assertThat(lanes.isUncertain(lane("slow"))).isFalse();
        assertThat(lanes.holdUpOthers(now)).isTrue();
    }

    @Test
    void aDoubtfulCallSuspectsItsLanesWhileItRuns() {
        List<Parcel> batch =
                IntStream.range(0, 100).mapToObj(i -> parcel("tenant" + i % 10)).toList();
        lanes.noteRunning(batch, Duration.ofMillis(999).toNanos(), now);
        assertThat(lanes.isSlow(lane("tenant0"))).isFalse();

        lanes.noteRunning(batch, Duration.ofSeconds(1).toNanos(), now);
        assertThat(lanes.isUncertain(lane("tenant0"))).isTrue();
    }

    @Test
    void lanesThatWereQuickLatelyAreNotSuspectedByADoubtfulCall() {
        call(20, 1, "a", "b");
        call(2_000, 30, "a", "b");
        assertThat(lanes.isSlow(lane("a"))).isFalse();

        call(2_000, 30, "a", "b", "new");
        assertThat(lanes.isSlow(lane("a"))).isFalse();
        assertThat(lanes.isUncertain(lane("new"))).isTrue();
    }

    @Test
    void aLaneThatWasQuickAMinuteAgoIsSuspected() {
        call(20, 1, "a", "becomes-slow");
        for (int i = 0; i < 30; i++) {
            call(20, 1, "a");
            call(2_000, 40, "a", "becomes-slow");
        }

        assertThat(lanes.isSlow(lane("a"))).isFalse();
        assertThat(lanes.isUncertain(lane("becomes-slow"))).isTrue();
    }

    @Test
    void aLaneThatWasQuickDuringALongCallIsNotSuspected() {
        now += Duration.ofSeconds(1).toNanos();
        call(20, 1, "a");
        List<Parcel> batch = List.of(parcel("a"), parcel("slow"));

        lanes.noteRunning(batch, Duration.ofMillis(1_020).toNanos(), now);

        assertThat(lanes.isSlow(lane("a"))).isFalse();
        assertThat(lanes.isSlow(lane("slow"))).isTrue();
    }

    @Test
    void aLaneThatWasQuickBeforeALongCallIsSuspected() {
        call(20, 1, "becomes-slow");
        call(20, 1, "a");
        call(3_000, 1, "becomes-slow", "unknown");

        assertThat(lanes.isUncertain(lane("becomes-slow"))).isTrue();
    }

    @Test
    void ifAllTrialsAreLongLanesShareCallsAgain() {
        String[] tenants = IntStream.range(0, 500).mapToObj(i -> "tenant" + i).toArray(String[]::new);
        call(1_200, 1, tenants);
        for (int i = 0; i < 8; i++) {
            assertThat(lanes.holdUpOthers(now)).isTrue();
            call(1_200, 1, tenants[i]);
        }
        assertThat(lanes.holdUpOthers(now)).isFalse();

        int apart = 0;
        for (int i = 0; i < 1_000; i++) {
            if (lanes.holdUpOthers(now)) {
                apart++;
                call(1_200, 1, tenants[i % tenants.length]);
            } else {
                call(1_200, 1, tenants);
            }
        }
        assertThat(apart).isLessThan(50);
    }

    @Test
    void ifTrialsCostMuchAndFindNothingTheyRestForAMinute() {
        String[] tenants = IntStream.range(0, 500).mapToObj(i -> "tenant" + i).toArray(String[]::new);
        call(2_500, 1, tenants);
        int trials = 0;
        for (; lanes.isSlow(lane(tenants[trials])); trials++) {
            call(205, 1, tenants[trials]);
        }
        assertThat(trials).isEqualTo(25);

        long rests = now;
        while (now - rests < MINUTE - Duration.ofSeconds(3).toNanos()) {
            call(2_500, 1, tenants);
            assertThat(lanes.isSlow(lane(tenants[499]))).isFalse();
        }
        now += Duration.ofSeconds(3).toNanos();
        call(2_500, 1, tenants);
        assertThat(lanes.isSlow(lane(tenants[499]))).isTrue();
    }

    @Test
    void trialsThatTakeAsLongAsEachTimerOfTheCallAreNotLimited() {
        String[] tenants = IntStream.range(0, 500).mapToObj(i -> "tenant" + i).toArray(String[]::new);
        call(10_000, 1, tenants);
        for (String each : tenants) {
            assertThat(lanes.isUncertain(lane(each))).isTrue();
            call(20, 1, each);
        }
        assertThat(lanes.holdUpOthers(now)).isFalse();

        call(10_000, 1, tenants);
        assertThat(lanes.isSlow(lane(tenants[0]))).isFalse();
    }

    @Test
    void trialsWithoutAQuickLaneEndAfterAMinute() {
        call(2_000, 30, "a", "b", "c");
        now += MINUTE - 1;
        assertThat(lanes.holdUpOthers(now)).isTrue();

        now++;
        assertThat(lanes.holdUpOthers(now)).isFalse();
    }

    @Test
    void aSlowLaneWhoseCallsHoldManyTimersStaysSlow() {
        call(20, 1, "a");
        call(2_000, 1, "slow");
        for (int i = 0; i < 8; i++) {
            assertThat(lanes.isUncertain(lane("slow"))).isFalse();
            call(2_000, 50, "slow");
        }
        assertThat(lanes.isUncertain(lane("slow"))).isTrue();
        assertThat(lanes.batchSize(lane("slow"), 50)).isEqualTo(1);

        call(2_000, 1, "slow");
        assertThat(lanes.isUncertain(lane("slow"))).isFalse();
        assertThat(lanes.isSlow(lane("slow"))).isTrue();
    }

    @Test
    void callsOfALaneAloneDoNotBecomeUsual() {
        for (int i = 0; i < 100; i++) {
            call(2_000, 50, "slow");
        }
        call(2_000, 30, "slow", "a");

        assertThat(lanes.isUncertain(lane("slow"))).isTrue();
        assertThat(lanes.isUncertain(lane("a"))).isTrue();
    }
}

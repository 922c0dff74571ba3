package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.duetime.RateLimit;
import dev.duetime.engine.limits.LedgerPlan.Step;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of what becomes of the permits of a rate of one an hour while its only unit moves between two nodes. */
class LedgerPlanTest {
    private static final RateLimit RATE = RateLimit.perHour(1);
    private static final long FOREVER = Duration.ofDays(1).toNanos();
    private static final Instant START = Instant.EPOCH;
    private static final double HALF = 0.5;

    private final LedgerPlan plan = new LedgerPlan("here");
    private final HeldLimit limit = HeldLimit.ofRate("work", null, RATE, false, 0);

    /** An instant in a turn of the node "here", and one in a turn of the node "there". */
    private final Instant ourTurn = START;

    private final Instant theirTurn = START.plus(Division.TURN);

    private Share share(String node, int units, Instant now) {
        return new Share(node, units, 1, 1, Duration.ofHours(1).toNanos(), now, now.plusSeconds(10));
    }

    private Step plan(long version, Instant freeSince, int here, int there, Instant now) {
        Ledger ledger = new Ledger(
                limit.name, version, freeSince, List.of(share("here", here, now), share("there", there, now)));
        limit.want(0);
        return plan.plan(limit, new Exchange(List.of(ledger), now, now.plusSeconds(10), false), 0);
    }

    private static double filled(Instant since, Instant now) {
        return Duration.between(since, now).toMillis()
                / (double) Duration.ofHours(1).toMillis();
    }

    @Test
    void aRefusedStepIsPlannedAgainWithTheSamePermits() {
        limit.grant(1, 1, HALF, 0, FOREVER);

        Step first = plan(1, START, 1, 0, theirTurn);
        Step second = plan(2, START, 1, 0, theirTurn);

        assertThat(first.units()).isZero();
        assertThat(filled(first.change().freeSince(), theirTurn)).isCloseTo(HALF, within(1e-6));
        assertThat(second.units()).isZero();
        assertThat(filled(second.change().freeSince(), theirTurn)).isCloseTo(HALF, within(1e-6));
    }

    @Test
    void aUnitThatWasNotGivenUpComesBackWithItsPermits() {
        limit.grant(1, 1, HALF, 0, FOREVER);

        plan(1, START, 1, 0, theirTurn);
        assertThat(limit.units().usable()).isZero();
        Step back = plan(2, START, 1, 0, ourTurn.plus(Division.TURN.multipliedBy(2)));

        assertThat(back.units()).isEqualTo(1);
        assertThat(back.added()).isCloseTo(HALF + 5.0 / 3_600, within(1e-6));
    }

    @Test
    void permitsOfAUnitThatWasGivenUpAfterAllAreGone() {
        limit.grant(1, 1, HALF, 0, FOREVER);
        Instant later = ourTurn.plus(Division.TURN.multipliedBy(2));

        Step lost = plan(1, START, 1, 0, theirTurn);
        Step next = plan(2, lost.change().freeSince(), 0, 1, later);

        assertThat(next.units()).isZero();
        assertThat(next.added()).isZero();
    }

    @Test
    void aUnitThatWasTakenWithoutAReplyBringsItsPermits() {
        Instant halfAnHourAgo = ourTurn.minus(Duration.ofMinutes(30));

        Step lost = plan(1, halfAnHourAgo, 0, 0, ourTurn);
        Step next = plan(2, halfAnHourAgo, 1, 0, ourTurn);

        assertThat(lost.added()).isCloseTo(HALF, within(1e-6));
        assertThat(next.added()).isCloseTo(HALF, within(1e-6));
    }

    @Test
    void aWriteThatIsStillUnderWayDoesNotMakeAUnitFuller() {
        Instant halfAnHourAgo = ourTurn.minus(Duration.ofMinutes(30));
        // The first write takes the unit. It is under way while the next turn, of the other node, finds no unit.
        plan(1, halfAnHourAgo, 0, 0, ourTurn);
        plan(1, halfAnHourAgo, 0, 0, theirTurn);
        // Then it is written after all.
        Step next = plan(2, halfAnHourAgo, 1, 0, theirTurn);

        assertThat(next.units()).isZero();
        assertThat(next.change().freeSince()).isEqualTo(halfAnHourAgo);
    }

    @Test
    void freeUnitsAreAsFullAsAllOfThemOnAverage() {
        double hour = Duration.ofHours(1).toNanos();
        UnusedUnits full = UnusedUnits.filledTo(1, 1, START, hour);
        UnusedUnits empty = UnusedUnits.filledTo(0, 3, START, hour);

        UnusedUnits all = full.and(empty, START, hour);

        assertThat(all.count()).isEqualTo(4);
        assertThat(all.filled(START, hour)).isCloseTo(0.25, within(1e-6));
    }

    @Test
    void aNodeThatWantsTwoLimitsHasItsTurnInBothAtOnce() {
        List<String> nodes = List.of("a", "b", "c", "d");
        for (String node : List.of("b", "c")) {
            boolean both = false;
            for (int turn = 0; turn < nodes.size(); turn++) {
                Instant now = START.plus(Division.TURN.multipliedBy(turn));
                List<Share> all =
                        nodes.stream().map(each -> share(each, 0, now)).toList();
                both |= Division.of(all, nodes, 1, now).containsKey(node)
                        && Division.of(all.subList(1, 3), nodes, 1, now).containsKey(node);
            }
            assertThat(both).as(node).isTrue();
        }
    }
}

package dev.duetime.engine.limits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.duetime.RateLimit;
import dev.duetime.engine.limits.LedgerPlan.Step;
import dev.duetime.store.Permits.Change;
import dev.duetime.store.Permits.Ledger;
import dev.duetime.store.Permits.Share;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests of what becomes of the permits of a rate of one an hour while its only unit moves between two nodes. */
class LedgerPlanTest {
    private static final RateLimit RATE = RateLimit.perHour(1);
    private static final long FOREVER = Duration.ofDays(1).toNanos();
    private static final Instant START = Instant.EPOCH;
    private static final double HALF = 0.5;
    private static final Duration SIX_MINUTES = Duration.ofMinutes(6);

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
        return plan(ledger, now, 0);
    }

    /** Plans a step in a turn that has taken some time already. */
    private Step plan(Ledger ledger, Instant now, long nanos) {
        limit.want(nanos);
        return plan.plan(limit, new Exchange(List.of(ledger), now, 0, now.plusSeconds(10), false), nanos);
    }

    private static double added(Step step, Instant now) {
        return step.added().permits(now, (double) Duration.ofHours(1).toNanos()).unknown();
    }

    private static double filled(Instant since, Instant now) {
        return Duration.between(since, now).toMillis()
                / (double) Duration.ofHours(1).toMillis();
    }

    @Test
    void aRefusedStepIsPlannedAgainWithTheSamePermits() {
        limit.grant(1, 1, TenantPermits.of(HALF), 0, FOREVER);

        Step first = plan(1, START, 1, 0, theirTurn);
        Step second = plan(2, START, 1, 0, theirTurn);

        assertThat(first.units()).isZero();
        assertThat(filled(first.change().freeSince(), theirTurn)).isCloseTo(HALF, within(1e-6));
        assertThat(second.units()).isZero();
        assertThat(filled(second.change().freeSince(), theirTurn)).isCloseTo(HALF, within(1e-6));
    }

    @Test
    void aUnitThatWasNotGivenUpComesBackWithItsPermits() {
        limit.grant(1, 1, TenantPermits.of(HALF), 0, FOREVER);

        plan(1, START, 1, 0, theirTurn);
        assertThat(limit.units().usable()).isZero();
        Step back = plan(2, START, 1, 0, ourTurn.plus(Division.TURN.multipliedBy(2)));

        assertThat(back.units()).isEqualTo(1);
        assertThat(added(back, ourTurn.plus(Division.TURN.multipliedBy(2))))
                .isCloseTo(HALF + 5.0 / 3_600, within(1e-6));
    }

    @Test
    void permitsOfAUnitThatWasGivenUpAfterAllAreGone() {
        limit.grant(1, 1, TenantPermits.of(HALF), 0, FOREVER);
        Instant later = ourTurn.plus(Division.TURN.multipliedBy(2));

        Step lost = plan(1, START, 1, 0, theirTurn);
        Step next = plan(2, lost.change().freeSince(), 0, 1, later);

        assertThat(next.units()).isZero();
        assertThat(added(next, later)).isZero();
    }

    @Test
    void aUnitThatWasTakenWithoutAReplyBringsItsPermits() {
        Instant halfAnHourAgo = ourTurn.minus(Duration.ofMinutes(30));

        Step lost = plan(1, halfAnHourAgo, 0, 0, ourTurn);
        Step next = plan(2, halfAnHourAgo, 1, 0, ourTurn);

        assertThat(added(lost, ourTurn)).isCloseTo(HALF, within(1e-6));
        assertThat(added(next, ourTurn)).isCloseTo(HALF, within(1e-6));
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
    void eachTenantKeepsItsLevelUntilTheMoveIsWritten() {
        HeldLimit ofTenants = HeldLimit.ofRate("work", null, RATE, true, 0);
        ofTenants.grant(1, 1, new TenantPermits(1, Map.of("a", HALF)), 0, FOREVER);
        for (int version = 1; version <= 2; version++) {
            List<Share> shares = List.of(share("here", 1, theirTurn), share("there", 0, theirTurn));
            Ledger ledger = new Ledger(ofTenants.name, version, START, shares);
            ofTenants.want(0);
            Exchange exchange = new Exchange(List.of(ledger), theirTurn, 0, theirTurn.plusSeconds(10), false);
            Change change = plan.plan(ofTenants, exchange, 0).change();
            TenantLevels levels = LevelsText.read(change.levels(), version + 1);

            assertThat(filled(change.freeSince(), theirTurn)).isCloseTo(HALF, within(1e-6));
            assertThat(levels).isNotNull();
            assertThat(levels.byTenant()).containsExactly(Map.entry("a", change.freeSince()));
            assertThat(filled(levels.since(), theirTurn)).isCloseTo(1, within(1e-6));
        }
    }

    @Test
    void theTimeOfALongReadFillsAUnitOnce() {
        limit.grant(1, 1, TenantPermits.of(HALF), 0, FOREVER);
        List<Share> shares = List.of(share("here", 1, theirTurn), share("there", 0, theirTurn));

        Step step = plan(new Ledger(limit.name, 1, START, shares), theirTurn, SIX_MINUTES.toNanos());

        assertThat(step.units()).isZero();
        assertThat(filled(step.change().freeSince(), theirTurn.plus(SIX_MINUTES)))
                .isCloseTo(HALF + 0.1, within(1e-6));
    }

    @Test
    void theTimeOfALongWriteFillsAUnit() {
        Step step = plan(1, ourTurn.minus(Duration.ofMinutes(30)), 0, 0, ourTurn);
        long nanos = SIX_MINUTES.toNanos();
        limit.grant(step, ourTurn.plus(SIX_MINUTES), nanos, FOREVER);

        assertThat(limit.units().bucket("", nanos).permits()).isCloseTo(HALF + 0.1, within(1e-6));
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

    /** They would make it give units away that do not exist, or wait for ever. */
    @Test
    void sharesThatWereWrittenByHandCountAsEnded() {
        Instant until = ourTurn.plusSeconds(10);
        List<Share> odd = List.of(
                new Share("a", -3, 1, 1, 1, ourTurn, until),
                new Share("b", 0, -1, 1, 1, ourTurn, until),
                new Share("c", 0, 1, 0, 1, ourTurn, until),
                new Share("d", 0, 1, 1, -1, ourTurn, until),
                new Share("here", -1, 1, 1, 1, ourTurn, until));

        Step step = plan(new Ledger(limit.name, 1, START.minusSeconds(1), odd), ourTurn, 0);

        assertThat(step.units()).isEqualTo(1);
        assertThat(step.change().removed()).containsExactlyInAnyOrder("a", "b", "c", "d");
    }

    @Test
    void sharesOfTooManyUnitsLeaveNone() {
        Instant until = ourTurn.plusSeconds(10);
        List<Share> many = List.of(
                new Share("a", Integer.MAX_VALUE, 1, 1, 1, ourTurn, until),
                new Share("b", Integer.MAX_VALUE, 1, 1, 1, ourTurn, until));

        assertThat(plan(new Ledger(limit.name, 1, START, many), ourTurn, 0).units())
                .isZero();
    }
}

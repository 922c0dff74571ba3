package dev.duetime.specification.cluster;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.duetime.Timer;
import dev.duetime.specification.LogLines;
import dev.duetime.store.ShardLeases;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of leases from the future, which a test with its own clock may leave behind. */
class VoidLeaseTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final Set<Integer> ALL = Set.of(0, 1, 2, 3);

    private final TimerKit kit = TimerKit.builder().notStarted().build();

    private void stranger(Set<Integer> shards, Instant until) {
        ShardLeases leases = kit.store().leases();
        leases.acquire("default", shards, "stranger", kit.now(), until);
    }

    private Instant inYears() {
        return kit.now().plus(Duration.ofDays(4 * 365));
    }

    private void run() {
        kit.node(0).start();
        kit.runDue();
    }

    @Test
    void aLeaseThatEndsInYearsBlocksNoNode() {
        stranger(ALL, inYears());
        run();
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(SECOND);
        assertThat(kit).hasDeliveredOnce("a");
        assertThat(ShardsTest.owners(kit)).isEqualTo(Map.of("node-0", 4));
    }

    @Test
    void anAnnouncementThatEndsInYearsGetsNoShare() {
        stranger(Set.of(), inYears());
        run();
        kit.advance(Duration.ofMinutes(1));
        assertThat(ShardsTest.owners(kit)).isEqualTo(Map.of("node-0", 4));
    }

    /** The node died just after it had announced itself, or its clock was wrong. */
    @Test
    void theShareOfANodeThatTakesNothingIsTakenAfterALease() {
        run();
        kit.advance(Duration.ofMinutes(2));
        stranger(Set.of(), kit.now().plus(Duration.ofMinutes(50)));
        kit.advance(SECOND.multipliedBy(25));
        assertThat(ShardsTest.owners(kit)).isEqualTo(Map.of("node-0", 4));

        long acquired = kit.node(0).calls(StoreCall.ACQUIRE);
        kit.advance(Duration.ofMinutes(45));
        assertThat(ShardsTest.owners(kit)).isEqualTo(Map.of("node-0", 4));
        assertThat(kit.node(0).calls(StoreCall.ACQUIRE)).isEqualTo((int) acquired);
    }

    /** A node died with all its shards. Another node had announced itself, and takes no shard. */
    @Test
    void aSilentNodeGetsNoShareOfLeasesThatHaveEnded() {
        stranger(ALL, kit.now().plus(SECOND.multipliedBy(5)));
        kit.store()
                .leases()
                .acquire("default", Set.of(), "silent", kit.now(), kit.now().plus(Duration.ofMinutes(50)));
        run();
        kit.advance(Duration.ofMinutes(2));
        assertThat(ShardsTest.owners(kit)).isEqualTo(Map.of("node-0", 4));
    }

    @Test
    void aSilentNodeGetsItsShareWhenItAnnouncesItselfAgain() {
        run();
        stranger(Set.of(), kit.now().plus(Duration.ofMinutes(50)));
        kit.advance(Duration.ofMinutes(2));
        assertThat(ShardsTest.owners(kit)).isEqualTo(Map.of("node-0", 4));

        stranger(Set.of(), kit.now().plus(Duration.ofMinutes(51)));
        kit.advance(SECOND.multipliedBy(4));
        assertThat(ShardsTest.owners(kit)).isEqualTo(Map.of("node-0", 2));
    }

    @Test
    void theLongestLeaseThatCanBeSetHolds() {
        stranger(ALL, kit.now().plus(LONGEST));
        run();
        kit.advance(LONGEST);
        assertThat(kit.scheduler().admin().health().queues().get(0).ownedShards())
                .isZero();
        kit.advance(Duration.ofMillis(251));
        assertThat(ShardsTest.owners(kit)).isEqualTo(Map.of("node-0", 4));
    }

    @Test
    void aVoidLeaseIsLoggedOnceWithOwnerAndEnd() {
        stranger(ALL, inYears());
        try (LogLines lines = LogLines.ofDuetime()) {
            run();
            kit.advance(Duration.ofMinutes(5));
            List<String> told = lines.messages(Level.WARN);
            assertThat(told)
                    .singleElement()
                    .satisfies(line -> assertThat(line)
                            .contains(
                                    "stranger",
                                    "queue default",
                                    inYears().toString().substring(0, 10),
                                    "void"));
        }
    }

    @Test
    void aVoidLeaseCountsNoAttemptForLaterTimers() {
        stranger(ALL, inYears());
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        run();
        kit.advance(SECOND);
        assertThat(kit).lastOf("a").hasAttempt(1);
    }

    @Test
    void aNodeWithoutShardsLogsTheReasonOnceAfterAMinute() {
        stranger(ALL, kit.now().plus(LONGEST));
        try (LogLines lines = LogLines.ofDuetime()) {
            run();
            kit.advance(Duration.ofSeconds(59));
            assertThat(lines.messages(Level.WARN)).isEmpty();
            kit.advance(Duration.ofMinutes(5));
            assertThat(lines.messages(Level.WARN))
                    .containsExactly("this node has owned no shard of queue default for PT1M:"
                            + " 2 nodes share its 4 shards: node stranger holds 4");
        }
        assertThat(kit.scheduler().admin().health().queues().get(0).noShards())
                .isEqualTo("2 nodes share its 4 shards: node stranger holds 4");
    }

    @Test
    void theMinuteWithoutShardsRestartsAfterAnOutage() {
        stranger(ALL, kit.now().plus(LONGEST));
        try (LogLines lines = LogLines.ofDuetime()) {
            run();
            kit.node(0).storeDown();
            kit.advance(Duration.ofMinutes(5));
            kit.node(0).storeUp();
            kit.advance(Duration.ofSeconds(55));
            assertThat(lines.messages(Level.WARN)).singleElement().asString().startsWith("store is unavailable");
            kit.advance(Duration.ofSeconds(10));
            assertThat(lines.messages(Level.WARN))
                    .hasSize(2)
                    .last()
                    .asString()
                    .startsWith("this node has owned no shard of queue default for PT1M: 2 nodes");
        }
    }

    @Test
    void theMinuteWithoutShardsBeginsWithTheStart() {
        kit.scheduler().schedule(Timer.after("a", SECOND).build());
        kit.advance(Duration.ofMinutes(10));
        stranger(ALL, kit.now().plus(LONGEST));
        try (LogLines lines = LogLines.ofDuetime()) {
            run();
            kit.advance(Duration.ofSeconds(59));
            assertThat(lines.messages(Level.WARN)).isEmpty();
            assertThat(kit.scheduler().admin().health().queues().get(0).noShards())
                    .isNull();
            kit.advance(SECOND.multipliedBy(5));
            assertThat(lines.messages(Level.WARN)).hasSize(1);
        }
    }

    @Test
    void aNodeThatCannotRenewReportsTheFailureOfTheStore() {
        run();
        kit.node(0).storeDown();
        kit.advance(Duration.ofMinutes(2));
        assertThat(kit.scheduler().admin().health().queues().get(0).noShards()).startsWith("the store fails: ");
        kit.node(0).storeUp();
        kit.advance(SECOND.multipliedBy(2));
        assertThat(kit.scheduler().admin().health().queues().get(0).noShards()).isNull();
    }
}

package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.store.NewTimer;
import dev.duetime.testkit.KitNode;
import dev.duetime.testkit.PassThroughStore;
import dev.duetime.testkit.TestClock;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests of ticks that a node does not know: they are left to others for a day, then cancelled. */
class PassageOfTimeRemovedTickTest extends DeployKit {
    @Test
    void aRemovedTickIsCancelledAfterItsGrace() {
        KitNode old = deploy(minutesAndHours());
        kit.advance(Duration.ofMinutes(50));
        old.close();
        told.clear();
        deploy(minutes());

        kit.advance(Duration.ofMinutes(65));
        assertThat(tick("passage/hours/2-hour/UTC")).hasValueSatisfying(hours -> {
            assertThat(hours.state()).isEqualTo(TimerState.SCHEDULED);
            assertThat(hours.dueAt()).isEqualTo(minute(60));
            assertThat(hours.attempt()).isZero();
            assertThat(hours.failure()).isNull();
        });
        kit.advance(Duration.ofHours(23));
        assertThat(tick("passage/hours/2-hour/UTC"))
                .hasValueSatisfying(hours -> assertThat(hours.state()).isEqualTo(TimerState.SCHEDULED));
        kit.advance(Duration.ofMinutes(8));
        assertThat(tick("passage/hours/2-hour/UTC"))
                .hasValueSatisfying(hours -> assertThat(hours.state()).isEqualTo(TimerState.CANCELLED));
        assertThat(told).hasSize(23 * 60 + 73).noneMatch(each -> each.startsWith("hour"));
    }

    @Tag("full")
    @Test
    void aTickOfAnOldNodesShardSurvivesALongDeploy() {
        KitNode first = deploy(minutesAndAllHours(event -> {}));
        first.close();
        KitNode old = deploy(minutes());
        KitNode newer = deploy(minutesAndAllHours(event -> told.add("hour " + event.now())));
        newer.storeDown(DeployKit::leases);
        kit.advance(Duration.ofHours(30));
        assertThat(tick("passage/hours/2-hour/UTC")).hasValueSatisfying(hours -> {
            assertThat(hours.dueAt()).isEqualTo(minute(60));
            assertThat(hours.attempt()).isZero();
            assertThat(hours.failure()).extracting(Failure::error).asString().contains("does not know it");
        });
        newer.storeUp();
        old.close();
        kit.advance(Duration.ofMinutes(1));

        assertThat(told.stream().filter(each -> each.startsWith("hour")))
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 30)
                        .mapToObj(hour -> "hour " + minute(60L * hour))
                        .toList());
        assertThat(tick("passage/hours/2-hour/UTC"))
                .hasValueSatisfying(hours -> assertThat(hours.failure()).isNull());
    }

    @Tag("full")
    @Test
    void aFailingKnownTickIsNotCancelledByAnotherNode() {
        relieved();
        deploy(minutesAndAllHours(event -> {
            throw new IOException("not yet");
        }));
        kit.advance(Duration.ofHours(25));

        assertThat(tick("passage/hours/2-hour/UTC")).hasValueSatisfying(hours -> {
            assertThat(hours.dueAt()).isEqualTo(minute(60));
            assertThat(hours.attempt()).isGreaterThan(100);
        });
    }

    @Tag("full")
    @Test
    void aTickReturningFromAnotherNodeRestartsItsGrace() {
        KitNode old = relieved();
        KitNode newer = deploy(minutesAndAllHours(event -> {
            throw new IOException("not yet");
        }));
        kit.advance(Duration.ofHours(23));
        newer.close();
        old.storeUp();
        kit.advance(Duration.ofHours(2));

        assertThat(tick("passage/hours/2-hour/UTC"))
                .hasValueSatisfying(hours -> assertThat(hours.state()).isEqualTo(TimerState.SCHEDULED));
    }

    @Test
    void aTickThatIsDeclaredAgainIsNotCancelled() {
        DeclaredAnew store = new DeclaredAnew();
        PassageOfTime both = minutesAndHours().build();
        PassageOfTime one = minutes().build();
        try (TimerKit cluster = kit(builder -> builder.store(store))) {
            KitNode newer = cluster.addNode(scheduler -> scheduler.extension(both));
            cluster.runDue();
            newer.close();
            cluster.addNode(scheduler -> scheduler.extension(one));
            cluster.advance(Duration.ofHours(24));
            store.after = cluster.now();
            cluster.advance(Duration.ofHours(2));
            assertThat(store.find(DeclaredAnew.HOURS))
                    .hasValueSatisfying(hours -> assertThat(hours.state()).isEqualTo(TimerState.SCHEDULED));
        }
    }

    /**
     * A store in which another node declares a tick anew, with other content, between any read of this node and what
     * the node does next.
     */
    private static final class DeclaredAnew extends PassThroughStore {
        static final TimerKey HOURS = TimerKey.of("duetime", "passage/hours/2-hour/UTC");

        private Instant after = Instant.MAX;
        private long generation = 1;

        DeclaredAnew() {
            super(new InMemoryScheduleStore(new TestClock()));
        }

        @Override
        public List<StoredTimer> query(TimerQuery query) {
            List<StoredTimer> read = super.query(query);
            read.stream()
                    .filter(each -> each.key().equals(HOURS) && after.isBefore(Instant.MAX))
                    .forEach(this::declareAnew);
            return read;
        }

        private void declareAnew(StoredTimer hours) {
            generation++;
            Payload other = Payload.of(("other words " + generation).getBytes(StandardCharsets.UTF_8));
            schedule(List.of(new NewTimer(
                    HOURS, hours.shard(), TimerContents.withPayload(hours.content(), other), generation, after, true)));
        }
    }
}

package dev.duetime.testkit;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Envelope;
import dev.duetime.QueueOverview;
import dev.duetime.RetryPolicy;
import dev.duetime.StoreException;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerAdmin;
import dev.duetime.TimerCount;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Specifies what an operator can do to many timers, and what the engine makes of it. */
class AdminTest {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final TimerQuery ALL = TimerQuery.all();

    private final TimerKit kit = TimerKit.builder()
            .configure(scheduler -> scheduler
                    .retry(RetryPolicy.exponential(SECOND, SECOND).maxAttempts(1))
                    .type(
                            "stubborn",
                            type -> type.retry(RetryPolicy.fixed(SECOND).maxAttempts(3)))
                    .queue("mail", queue -> queue.publisher(batch -> {})))
            .build();
    private final TimerAdmin admin = kit.scheduler().admin();

    private void schedule(String timerId, Duration delay) {
        kit.scheduler().schedule(Timer.after(timerId, delay).build());
    }

    private StoredTimer stored(String timerId) {
        return kit.store().find(TimerKey.of(timerId)).orElseThrow();
    }

    /** Lets timers die, beside one that gets through. */
    private void dead(String... timerIds) {
        kit.publisher().failPartiallyOn(each -> !each.key().timerId().equals("good"));
        schedule("good", SECOND);
        List.of(timerIds).forEach(id -> schedule(id, SECOND));
        kit.advance(Duration.ofSeconds(5));
        kit.publisher().recover();
        List.of(timerIds).forEach(id -> assertThat(stored(id).state()).as(id).isEqualTo(TimerState.DEAD));
    }

    @Nested
    class Reviving {
        @Test
        void aRevivedTimerIsDeliveredAtOnceAsTheFirstAttemptUnderANewEnvelopeId() {
            dead("a");
            StoredTimer died = stored("a");

            assertThat(admin.revive(TimerKey.of("a"))).isTrue();
            kit.runDue();

            Envelope envelope = kit.delivered("a").get(0);
            assertThat(envelope.id()).isNotEqualTo(died.envelopeId());
            assertThat(envelope.attempt()).isEqualTo(1);
            assertThat(envelope.event().reachedAt()).isEqualTo(kit.now());
            assertThat(kit).hasDeliveredOnce("a");
        }

        @Test
        void theFailuresItDiedOfStayOnRecord() {
            dead("a");
            StoredTimer died = stored("a");
            admin.revive(TimerKey.of("a"));
            kit.runDue();

            assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
            assertThat(stored("a").failure()).isNotNull().isEqualTo(died.failure());
        }

        @Test
        void itHasAllItsAttemptsAgain() {
            kit.publisher().failPartiallyOn(each -> each.key().timerId().equals("a"));
            kit.scheduler()
                    .schedule(Timer.after("a", Duration.ZERO).type("stubborn").build());
            failsThrice("first");

            admin.revive(TimerKey.of("a"));

            assertThat(stored("a").attempt()).isZero();
            failsThrice("second");
        }

        /** Lets it fail beside others that get through, now and a second after each failure. */
        private void failsThrice(String time) {
            for (int attempt = 1; attempt <= 3; attempt++) {
                assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
                Duration next = attempt == 1 ? Duration.ZERO : SECOND;
                schedule(time + attempt, next);
                kit.advance(next);
                kit.runDue();
                assertThat(stored("a").attempt()).isEqualTo(attempt);
            }
            assertThat(stored("a").state()).isEqualTo(TimerState.DEAD);
        }

        @Test
        void oneWhoseDeadlineHasPassedExpires() {
            kit.publisher().failPartiallyOn(each -> each.key().timerId().equals("a"));
            kit.scheduler()
                    .schedule(Timer.at("a", kit.now())
                            .expiresAt(kit.now().plusSeconds(60))
                            .build());
            schedule("good", Duration.ZERO);
            kit.advance(Duration.ofMinutes(2));
            kit.publisher().recover();
            assertThat(admin.revive(TimerKey.of("a"))).isTrue();
            kit.runDue();

            assertThat(stored("a").state()).isEqualTo(TimerState.EXPIRED);
            assertThat(kit).hasNotDelivered("a");
        }

        @Test
        void onlyDeadTimersAreRevived() {
            schedule("scheduled", HOUR);
            schedule("reached", SECOND);
            kit.advance(SECOND);

            assertThat(admin.revive(TimerKey.of("scheduled"))).isFalse();
            assertThat(admin.revive(TimerKey.of("reached"))).isFalse();
            assertThat(admin.revive(TimerKey.of("absent"))).isFalse();
            assertThat(admin.revive(ALL)).isZero();
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredOnce("reached");
        }

        @Test
        void allThatMatchAreRevivedInBatches() {
            dead("a", "b", "c", "d", "e");
            int before = kit.node(0).calls(StoreCall.REVIVE);

            assertThat(admin.revive(ALL.type("none"))).isZero();
            assertThat(admin.revive(ALL.limit(2))).isEqualTo(5);

            assertThat(kit.node(0).calls(StoreCall.REVIVE) - before).isEqualTo(3);
            kit.runDue();
            assertThat(kit).hasDeliveredOnce("a").hasDeliveredOnce("e");
        }

        @Test
        void theBatchesBeforeAFailureStandAndARepeatDoesTheRest() {
            dead("a", "b", "c");
            admin.revive(ALL.limit(1).after(TimerKey.of("b")));
            kit.node(0).failAfter(StoreCall.REVIVE);

            assertThatThrownBy(() -> admin.revive(ALL.limit(1))).isInstanceOf(StoreException.class);
            assertThat(admin.revive(ALL.limit(1))).isEqualTo(1);

            kit.runDue();
            assertThat(kit).hasDeliveredOnce("a").hasDeliveredOnce("b").hasDeliveredOnce("c");
        }

        @Test
        void anotherStateIsRefused() {
            assertThatThrownBy(() -> admin.revive(ALL.state(TimerState.REACHED)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("state must be DEAD to revive but was REACHED");
        }
    }

    @Nested
    class Cancelling {
        @Test
        void allScheduledTimersOfATypeAreCancelledAndNoOthers() {
            for (String id : List.of("a", "b", "c")) {
                kit.scheduler()
                        .schedule(Timer.after(id, SECOND).type("reminder").build());
            }
            schedule("other", SECOND);

            assertThat(admin.cancel(ALL.type("reminder").limit(2))).isEqualTo(3);
            kit.advance(HOUR);

            assertThat(kit).hasDeliveredInOrder("other");
            assertThat(admin.cancel(ALL.type("reminder"))).isZero();
        }

        @Test
        void allScheduledTimersOfATenantAreCancelled() {
            kit.scheduler().schedule(TimerKey.of("acme", "a"), SECOND, null);
            kit.scheduler().schedule(TimerKey.of("acne", "a"), SECOND, null);

            assertThat(admin.cancel(ALL.tenantId("acme"))).isEqualTo(1);
            kit.advance(SECOND);

            assertThat(kit.delivered()).extracting(Envelope::key).containsExactly(TimerKey.of("acne", "a"));
        }

        @Test
        void whatIsInDeliveryOnThisNodeIsLeftAloneAndNotCounted() {
            List<Long> cancelled = new ArrayList<>();
            kit.publisher().onEach(each -> cancelled.add(admin.cancel(ALL.tenantId("default"))));
            schedule("a", SECOND);
            schedule("b", SECOND);
            schedule("later", HOUR);

            kit.advance(SECOND);

            assertThat(cancelled).containsExactly(1L, 0L);
            assertThat(stored("a").state()).isEqualTo(TimerState.REACHED);
            assertThat(stored("b").state()).isEqualTo(TimerState.REACHED);
            assertThat(stored("later").state()).isEqualTo(TimerState.CANCELLED);
        }

        @Test
        void aCancelledTimerMayBeScheduledAgainAtOnce() {
            schedule("a", SECOND);
            admin.cancel(ALL.tenantId("default"));
            schedule("a", SECOND);
            kit.advance(SECOND);
            assertThat(kit).hasDeliveredOnce("a");
        }

        @Test
        void everythingAtOnceIsRefused() {
            assertThatThrownBy(() -> admin.cancel(ALL))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("query must name a tenantId, type, queue or due time to cancel but was");
            assertThatThrownBy(() -> admin.cancel(ALL.tenantId("acme").state(TimerState.DEAD)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("state must be SCHEDULED to cancel but was DEAD");
        }
    }

    @Nested
    class Purging {
        @Test
        void endedTimersArePurgedByTheirAgeButNeitherDeadNorScheduledOnes() {
            dead("dead");
            schedule("scheduled", HOUR);
            schedule("cancelled", HOUR);
            kit.scheduler().cancel(TimerKey.of("cancelled"));
            Instant ended = kit.now();

            assertThat(admin.purge(ALL.limit(1), ended)).isEqualTo(1);
            assertThat(kit.store().find(TimerKey.of("good"))).isEmpty();
            assertThat(admin.purge(ALL, ended.plusSeconds(1))).isEqualTo(1);
            assertThat(kit.store().query(ALL))
                    .extracting(each -> each.key().timerId())
                    .containsExactly("dead", "scheduled");
        }

        @Test
        void deadTimersArePurgedWhenAskedFor() {
            dead("a", "b");

            assertThat(admin.purge(ALL.state(TimerState.DEAD).type("none"), kit.now()))
                    .isZero();
            assertThat(admin.purge(ALL.state(TimerState.DEAD), kit.now())).isEqualTo(2);
            assertThat(kit.store().query(ALL)).hasSize(1);
        }

        @Test
        void scheduledTimersAreRefused() {
            assertThatThrownBy(() -> admin.purge(ALL.state(TimerState.SCHEDULED), kit.now()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("state must be a terminal one to purge but was SCHEDULED");
        }
    }

    @Nested
    class Looking {
        @Test
        void timersAreCountedByQueueAndState() {
            dead("a");
            schedule("b", HOUR);
            kit.scheduler().schedule(Timer.after("m", HOUR).queue("mail").build());

            assertThat(admin.count(ALL))
                    .containsExactly(
                            new TimerCount("default", TimerState.SCHEDULED, 1),
                            new TimerCount("default", TimerState.REACHED, 1),
                            new TimerCount("default", TimerState.DEAD, 1),
                            new TimerCount("mail", TimerState.SCHEDULED, 1));
            assertThat(admin.count(ALL.queue("mail").state(TimerState.SCHEDULED)))
                    .containsExactly(new TimerCount("mail", TimerState.SCHEDULED, 1));
        }

        @Test
        void timersAreListedPageByPageAndInspectedOneByOne() {
            schedule("a", HOUR);
            schedule("b", HOUR);

            assertThat(admin.query(ALL.limit(1).after(TimerKey.of("a"))))
                    .extracting(each -> each.key().timerId())
                    .containsExactly("b");
            assertThat(admin.find(TimerKey.of("a"))).contains(stored("a"));
        }

        @Test
        void anOverviewShowsWhichNodeOwnsWhichShardsUntilWhenAndWhoIsAlive() {
            kit.addNode();
            kit.advance(Duration.ofMinutes(1));
            schedule("paused", Duration.ofSeconds(1));
            kit.node(0).crash();
            kit.node(1).pause();
            kit.advance(Duration.ofSeconds(20));

            QueueOverview queue = kit.node(1).scheduler().admin().queues().get(0);

            assertThat(queue.queue()).isEqualTo("default");
            assertThat(queue.shards()).isEqualTo(4);
            assertThat(queue.nodes())
                    .extracting(node -> node.nodeId().substring(0, 7))
                    .containsExactly("node-0-", "node-1-");
            assertThat(queue.nodes()).allSatisfy(node -> {
                assertThat(node.shards()).hasSize(2);
                assertThat(node.alive()).isFalse();
                assertThat(node.aliveUntil()).isBefore(kit.now());
            });
            assertThat(queue.unownedShards()).isEqualTo(4);
            assertThat(queue.oldestDue()).isEqualTo(stored("paused").dueAt());

            kit.node(1).resume();
            kit.advance(Duration.ofSeconds(20));

            QueueOverview after = kit.node(1).scheduler().admin().queues().get(0);
            assertThat(after.nodes()).singleElement().satisfies(node -> {
                assertThat(node.nodeId()).startsWith("node-1-");
                assertThat(node.alive()).isTrue();
                assertThat(node.shards())
                        .containsExactlyElementsOf(IntStream.range(0, 4).boxed().toList());
            });
            assertThat(after.unownedShards()).isZero();
            assertThat(after.oldestDue()).isNull();
        }
    }
}

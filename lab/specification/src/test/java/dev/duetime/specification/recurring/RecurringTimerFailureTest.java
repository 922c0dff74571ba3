package dev.duetime.specification.recurring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.PostponedException;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of occurrences that fail, are postponed or expire. */
class RecurringTimerFailureTest extends RecurringKit {
    @Test
    void aFailedOccurrenceIsRetriedWithItsOwnId() {
        schedule("a", EVERY_TEN);
        schedule("other", Recurrence.every(Duration.ofMinutes(1)));
        failOnce("a", minute(10));

        kit.advance(Duration.ofMinutes(25));

        assertThat(kit.delivered("a")).extracting(each -> each.event().dueAt()).containsExactly(minute(10), minute(20));
        assertThat(kit.delivered("a")).extracting(Envelope::attempt).containsExactly(2, 1);
        assertThat(kit.delivered("a").get(0).event().reachedAt()).isEqualTo(minute(11));
        assertThat(stored("a").failure()).isNull();
    }

    @Test
    void anOccurrenceWithoutAttemptsLeftIsDeadAndTheNextOneComes() {
        schedule("a", EVERY_TEN);
        schedule("other", Recurrence.every(Duration.ofMinutes(1)));
        kit.publisher()
                .failOn(each ->
                        each.key().timerId().equals("a") && each.event().dueAt().equals(minute(10)));

        kit.advance(Duration.ofMinutes(15));

        assertThat(listener.dead).singleElement().satisfies(each -> {
            assertThat(each.content()).extracting(TimerContent::dueAt).isEqualTo(minute(10));
            assertThat(each.attempt()).isEqualTo(3);
        });
        assertThat(stored("a").state()).isEqualTo(TimerState.SCHEDULED);
        assertThat(stored("a").dueAt()).isEqualTo(minute(20));
        assertThat(stored("a").attempt()).isZero();
        assertThat(stored("a").previousAt()).isNull();
        assertThat(stored("a").failure()).extracting(Failure::lastAt).isEqualTo(minute(12));
        kit.advance(TEN);
        assertThat(dueTimes("a")).containsExactly(minute(20));
        assertThat(kit.delivered("a").get(0).event().previous()).isNull();
        assertThat(stored("a").failure()).isNull();
    }

    @Test
    void anErrorThatIsNeverRetriedGivesUpTheOccurrenceOnly() {
        kit.close();
        try (TimerKit refusing = kitWith(envelope -> {
            if (envelope.event().dueAt().equals(minute(10))) {
                throw new IllegalStateException("never");
            }
        })) {
            refusing.scheduler().schedule(Timer.recurring("a", EVERY_TEN).build());
            refusing.advance(Duration.ofMinutes(20));
            StoredTimer timer = refusing.store().find(TimerKey.of("a")).orElseThrow();
            assertThat(timer.previousAt()).isEqualTo(minute(20));
            assertThat(timer.dueAt()).isEqualTo(minute(30));
        }
    }

    @Test
    void theDeadlineCountsForEachOccurrence() {
        schedule("a", EVERY_TEN, timer -> timer.validFor(Duration.ofMinutes(5)));
        assertThat(stored("a").content().expiresAt()).isEqualTo(minute(15));
        kit.node(0).crash();
        kit.advance(Duration.ofMinutes(16));
        kit.node(0).restart();

        kit.advance(Duration.ofMinutes(14));

        assertThat(listener.expired).containsExactly("a");
        assertThat(dueTimes("a")).containsExactly(minute(20), minute(30));
        assertThat(kit.delivered("a").get(0).event().previous()).isNull();
        assertThat(stored("a").content().expiresAt()).isEqualTo(minute(45));
    }

    @Test
    void anotherValidityReschedules() {
        schedule("a", EVERY_TEN, timer -> timer.validFor(Duration.ofMinutes(5)));

        assertThat(schedule("a", EVERY_TEN, timer -> timer.validFor(Duration.ofMinutes(5))))
                .isEqualTo(ScheduleOutcome.UNCHANGED);
        assertThat(schedule("a", EVERY_TEN, timer -> timer.validFor(Duration.ofMinutes(6))))
                .isEqualTo(ScheduleOutcome.RESCHEDULED);
    }

    @Test
    void aHandlerFailureCountsAlthoughNothingGetsThrough() {
        try (TimerKit handling = kitWith(envelope -> {
            throw new HandlerException(new IOException("no"));
        })) {
            handling.scheduler().schedule(Timer.at("a", START).build());
            handling.runDue();
            StoredTimer timer = handling.store().find(TimerKey.of("a")).orElseThrow();
            assertThat(timer.attempt()).isEqualTo(1);
            assertThat(timer.wakeAt()).isEqualTo(minute(10));
            assertThat(timer.failure()).extracting(Failure::error).isEqualTo("java.io.IOException: no");
        }
    }

    @Test
    void aPostponedOccurrenceCountsNoAttempt() {
        try (TimerKit postponing = kitWith(envelope -> {
            throw new PostponedException(Duration.ofMinutes(4));
        })) {
            postponing.scheduler().schedule(Timer.at("a", START).build());
            postponing.runDue();
            StoredTimer timer = postponing.store().find(TimerKey.of("a")).orElseThrow();
            assertThat(timer.attempt()).isZero();
            assertThat(timer.wakeAt()).isEqualTo(minute(4));
            assertThat(timer.failure()).isNull();
        }
    }

    @Test
    void aPostponedOccurrenceIsReplacedByItsSuccessor() {
        List<Instant> delivered = new ArrayList<>();
        try (TimerKit postponing = kitWith(envelope -> {
            if (envelope.event().dueAt().equals(minute(10))) {
                throw new PostponedException(Duration.ofDays(300));
            }
            delivered.add(envelope.event().dueAt());
        })) {
            postponing.scheduler().schedule(Timer.recurring("a", EVERY_TEN).build());
            postponing.advance(TEN.multipliedBy(3));
            assertThat(delivered).containsExactly(minute(20), minute(30));
        }
    }

    @Test
    void aPostponedTimerExpiresOnceItsDeadlineHasPassed() {
        try (TimerKit postponing = kitWith(envelope -> {
            throw new PostponedException(Duration.ofDays(300));
        })) {
            postponing.scheduler().schedule(Timer.at("a", START).validFor(TEN).build());
            postponing.advance(TEN.plusSeconds(1));
            assertThat(postponing.store().find(TimerKey.of("a")).orElseThrow().state())
                    .isEqualTo(TimerState.EXPIRED);
        }
    }
}

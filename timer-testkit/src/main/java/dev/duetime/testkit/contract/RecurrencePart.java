package dev.duetime.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.TimerState;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement.Moved;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A chapter of the contract about recurring timers. */
abstract class RecurrencePart extends ContractPart {
    static final String HOURLY = "every PT1H";

    static final Instant NEXT = NOW.plus(Duration.ofHours(1));

    RecurrencePart(ScheduleStoreContract author) {
        super(author);
    }

    final TimerDraft hourly(String timerId) {
        return timer(timerId).recurrence(HOURLY);
    }

    final StoredTimer movedTo(StoredTimer timer, Instant dueAt) {
        assertThat(store().settle(List.of(moved(timer, dueAt)))).isEqualTo(1);
        return stored(timer.key());
    }

    static StoredTimer written(
            NewTimer timer, Instant dueAt, @Nullable Instant expiresAt, @Nullable Instant previousAt) {
        return row(accepted(timer), timer.generation(), dueAt, expiresAt, previousAt, null);
    }

    static StoredTimer row(StoredTimer before, Moved moved) {
        return row(
                before, moved.nextGeneration(), moved.dueAt(), moved.expiresAt(), moved.previousAt(), moved.failure());
    }

    static StoredTimer row(
            StoredTimer before,
            long generation,
            Instant dueAt,
            @Nullable Instant expiresAt,
            @Nullable Instant previousAt,
            @Nullable Failure failure) {
        TimerContent content = before.content();
        TimerContent moved = new TimerContent(
                content.queue(),
                dueAt,
                expiresAt,
                content.type(),
                content.payload(),
                content.headers(),
                content.priority(),
                content.correlationId(),
                content.parallelKey(),
                content.correlationKey(),
                content.recurrence(),
                content.catchUp(),
                content.step());
        return new StoredTimer(
                before.key(),
                before.shard(),
                moved,
                TimerState.SCHEDULED,
                generation,
                0,
                dueAt,
                before.registeredAt(),
                null,
                previousAt,
                failure);
    }
}

package dev.duetime.testkit.memory;

import dev.duetime.Payload;
import dev.duetime.StoredTimer;
import dev.duetime.StoredTimer.Failure;
import dev.duetime.TimerContent;
import dev.duetime.TimerState;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.store.NewTimer;
import dev.duetime.store.ScheduleDecision;
import dev.duetime.store.Settlement;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The changes of rows: each derives one row from another. No other class of the in-memory store sets columns. */
final class InMemoryRows {

    private InMemoryRows() {}

    /** Returns the row that an accepted schedule leaves where {@code standing} was, or null if nothing was. */
    static StoredTimer accepted(NewTimer accepted, @Nullable StoredTimer standing) {
        NewTimer timer = ScheduleDecision.written(accepted, standing);
        return new StoredTimer(
                timer.key(),
                timer.shard(),
                timer.content(),
                TimerState.SCHEDULED,
                timer.generation(),
                0,
                timer.content().dueAt(),
                timer.registeredAt(),
                null,
                ScheduleDecision.previousAt(accepted, standing),
                null);
    }

    static StoredTimer cancelled(StoredTimer standing, Instant at) {
        return settled(standing, TimerState.CANCELLED, standing.attempt(), null, at, standing.failure());
    }

    static StoredTimer expired(StoredTimer standing, Instant at) {
        return settled(standing, TimerState.EXPIRED, standing.attempt(), null, at, standing.failure());
    }

    static StoredTimer revived(StoredTimer dead, long generation, Instant now) {
        return new StoredTimer(
                dead.key(),
                dead.shard(),
                dead.content(),
                TimerState.SCHEDULED,
                generation,
                0,
                dead.dueAt().isAfter(now) ? dead.dueAt() : now,
                dead.registeredAt(),
                null,
                dead.previousAt(),
                dead.failure());
    }

    static StoredTimer dueNow(StoredTimer waiting, long generation, Instant now) {
        return moved(waiting, generation, waiting.dueAt().isAfter(now) ? now : waiting.dueAt(), now);
    }

    static StoredTimer movedTo(StoredTimer waiting, long generation, Instant dueAt) {
        return moved(waiting, generation, dueAt, dueAt);
    }

    private static StoredTimer moved(StoredTimer waiting, long generation, Instant dueAt, Instant wakeAt) {
        TimerContent content = waiting.content();
        return new StoredTimer(
                waiting.key(),
                waiting.shard(),
                TimerContents.advanced(content, content.step(), dueAt, content.payload()),
                TimerState.SCHEDULED,
                generation,
                0,
                wakeAt,
                waiting.registeredAt(),
                null,
                waiting.previousAt(),
                waiting.failure());
    }

    /** Returns the row that an outcome leaves where {@code standing} was, or null if none. */
    static @Nullable StoredTimer settled(StoredTimer standing, Settlement outcome) {
        if (outcome instanceof Settlement.Ended ended) {
            return ended(standing, ended);
        } else if (outcome instanceof Settlement.Retried retried) {
            return retried(standing, retried);
        } else if (outcome instanceof Settlement.Moved moved) {
            return moved(standing, moved);
        } else if (outcome instanceof Settlement.Advanced advanced) {
            return advanced(standing, advanced);
        }
        return null;
    }

    /** Returns the same row as another object: it was touched. */
    static StoredTimer touched(StoredTimer standing) {
        return settled(
                standing,
                standing.state(),
                standing.attempt(),
                standing.wakeAt(),
                standing.settledAt(),
                standing.failure());
    }

    private static StoredTimer ended(StoredTimer standing, Settlement.Ended outcome) {
        return settled(standing, outcome.state(), outcome.attempt(), null, outcome.at(), outcome.failure());
    }

    private static StoredTimer retried(StoredTimer standing, Settlement.Retried outcome) {
        Failure failure = outcome.failure() == null ? standing.failure() : outcome.failure();
        return settled(standing, TimerState.SCHEDULED, outcome.attempt(), outcome.wakeAt(), null, failure);
    }

    private static StoredTimer moved(StoredTimer standing, Settlement.Moved outcome) {
        TimerContent content = standing.content();
        return new StoredTimer(
                standing.key(),
                standing.shard(),
                TimerContents.merged(
                        content, outcome.dueAt(), outcome.expiresAt(), content.priority(), content.payload()),
                TimerState.SCHEDULED,
                outcome.nextGeneration(),
                0,
                outcome.dueAt(),
                standing.registeredAt(),
                null,
                outcome.previousAt(),
                outcome.failure());
    }

    private static StoredTimer advanced(StoredTimer standing, Settlement.Advanced outcome) {
        TimerContent content = standing.content();
        StoredTimer next = outcome.next();
        Payload payload = outcome.withPayload() ? next.content().payload() : content.payload();
        TimerContent merged = TimerContents.merged(
                content,
                next.dueAt(),
                next.content().expiresAt(),
                next.content().priority(),
                payload);
        return new StoredTimer(
                standing.key(),
                standing.shard(),
                TimerContents.advanced(merged, next.content().step(), next.dueAt(), payload),
                TimerState.SCHEDULED,
                next.generation(),
                next.attempt(),
                next.wakeAt(),
                standing.registeredAt(),
                null,
                standing.previousAt(),
                next.failure());
    }

    /** A state that is not known is shown as dead. */
    static StoredTimer inUnknownState(StoredTimer standing) {
        return settled(standing, TimerState.DEAD, standing.attempt(), standing.wakeAt(), null, standing.failure())
                .unreadable("state must be one of this version but was LOST");
    }

    static StoredTimer awake(StoredTimer standing) {
        return settled(
                standing,
                standing.state(),
                standing.attempt(),
                standing.dueAt(),
                standing.settledAt(),
                standing.failure());
    }

    private static StoredTimer settled(
            StoredTimer standing,
            TimerState state,
            int attempt,
            @Nullable Instant wakeAt,
            @Nullable Instant settledAt,
            @Nullable Failure failure) {
        return new StoredTimer(
                standing.key(),
                standing.shard(),
                standing.content(),
                state,
                standing.generation(),
                attempt,
                wakeAt,
                standing.registeredAt(),
                settledAt,
                standing.previousAt(),
                failure);
    }
}

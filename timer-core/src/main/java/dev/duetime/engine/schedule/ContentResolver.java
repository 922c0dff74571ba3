package dev.duetime.engine.schedule;

import dev.duetime.Payload;
import dev.duetime.PayloadException;
import dev.duetime.Timer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.engine.settings.ContentRules;
import dev.duetime.internal.Inside;
import dev.duetime.internal.LimitException;
import dev.duetime.internal.Limits;
import dev.duetime.internal.Micros;
import dev.duetime.internal.draft.TimerDraft;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The step from a timer to its content: it computes the due time and the deadline, and encodes the payload.
 * Thread-safe.
 */
public final class ContentResolver {
    private final ContentRules rules;

    public ContentResolver(ContentRules rules) {
        this.rules = rules;
    }

    /**
     * Returns the content of a timer that is scheduled now.
     *
     * @param inherited the deadline of the todo that schedules it; null if no todo does, or if it has none
     * @throws IllegalArgumentException if it is no todo, but its queue takes todos only; if the due time is out of
     *     range, the deadline is before it, or the payload is too large
     * @throws PayloadException if the payload cannot be encoded
     */
    public TimerContent content(Timer timer, Instant now, @Nullable Instant inherited) {
        TimerKey key = timer.key();
        TimerDraft draft = Inside.of(timer, TimerDraft.class);
        refuseTimerOnTodoQueue(key, draft);
        Instant due = dueAt(key, draft, now);
        Instant dueAt = Micros.ceil(due);
        Instant expiresAt = expiresAt(key, draft, due, dueAt);
        if (inherited != null && !draft.ownDeadline() && (expiresAt == null || inherited.isBefore(expiresAt))) {
            expiresAt = checked(key, inherited, due, "expiresAt, inherited from the todo that schedules it,");
        }
        Payload payload = draft.payload() == null ? Payload.NONE : Payload.encode(draft.payload(), rules.codec());
        rules.checked(payload, "timer " + key);
        Recurrence recurrence = draft.recurrence();
        return new TimerContent(
                draft.queue(),
                dueAt,
                expiresAt,
                draft.type(),
                payload,
                draft.headers(),
                draft.priority(),
                draft.correlationId(),
                draft.parallelKey(),
                draft.correlationKey(),
                recurrence == null ? null : recurrence.catchUp(CatchUp.LATEST).toString(),
                recurrence == null ? null : recurrence.catchUp(),
                draft.step());
    }

    private void refuseTimerOnTodoQueue(TimerKey key, TimerDraft draft) {
        if (draft.step() == null && rules.todoQueues().contains(draft.queue())) {
            throw new LimitException(
                    "queue",
                    ("queue must be one of timers but was the todo queue %s, where TodoQueue.enqueue adds todos"
                                    + " (timer %s)")
                            .formatted(Limits.shown(draft.queue()), key));
        }
    }

    private static Instant dueAt(TimerKey key, TimerDraft draft, Instant now) {
        Recurrence recurrence = draft.recurrence();
        if (recurrence != null) {
            return recurrence
                    .next(now)
                    .orElseThrow(() -> new LimitException(
                            "recurrence",
                            "recurrence must have an instant after %s but was %s (timer %s)"
                                    .formatted(now, recurrence, key)));
        }
        Duration delay = draft.delay();
        Instant dueAt = draft.dueAt();
        return dueAt != null ? dueAt : Limits.instant("dueAt", delay == null ? now : now.plus(delay));
    }

    /** Counted from the due time, not from now: a repeat of the same timer has the same deadline. */
    private @Nullable Instant expiresAt(TimerKey key, TimerDraft draft, Instant due, Instant dueAt) {
        if (draft.neverExpires()) {
            return null;
        }
        Instant expiry = draft.expiresAt();
        if (expiry == null) {
            Duration own = draft.validFor();
            Duration validFor = own != null ? own : rules.deadlines().validFor(draft.type(), draft.queue());
            return validFor == null ? null : Limits.deadline(dueAt, validFor);
        }
        checked(key, expiry, due, "expiresAt");
        // Both in one microsecond: still valid at the first tick at which it is due.
        return expiry.isBefore(dueAt) ? dueAt : Micros.floor(expiry);
    }

    private static Instant checked(TimerKey key, Instant expiry, Instant due, String name) {
        if (expiry.isBefore(due)) {
            throw new LimitException(
                    "expiresAt",
                    "%s must not be before dueAt %s but was %s (timer %s)".formatted(name, due, expiry, key));
        }
        return expiry;
    }
}

package dev.duetime.console.internal.action;

import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.TimerState;
import dev.duetime.admin.TimerAdmin;
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;

/** What an operator may do to timers. */
public enum Operation {
    /** Schedules dead timers again. */
    REVIVE,
    /** Makes scheduled timers due. */
    DELIVER,
    /** Moves scheduled timers to another due time. */
    RESCHEDULE,
    /** Cancels scheduled timers. */
    CANCEL,
    /** Deletes ended timers. */
    PURGE;

    private static final int BATCH = 500;

    /**
     * Returns the operation of a form.
     *
     * @throws IllegalArgumentException if there is none of that name
     */
    public static Operation of(String word) {
        return Arrays.stream(values())
                .filter(each -> each.word().equals(word))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("action must be revive, deliver, reschedule, cancel or purge"));
    }

    /** Returns its name in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns whether it must be confirmed by typing its name, because it cannot be undone. */
    public boolean isFinal() {
        return this == CANCEL || this == PURGE;
    }

    /**
     * Returns the query with the state that the operation works on.
     *
     * @throws IllegalArgumentException if the query asks for timers that the operation cannot change, or for all
     *     scheduled timers
     */
    public TimerQuery on(TimerQuery query) {
        TimerState asked = query.state();
        if (needsCondition() && isEverything(query)) {
            throw new IllegalArgumentException("to " + word()
                    + " all that match, name a tenant, a queue, a type, an id," + " a due time or another condition");
        }
        if (this == PURGE) {
            if (asked == null || asked == TimerState.SCHEDULED) {
                throw new IllegalArgumentException("state must be one in which timers have ended");
            }
            return query;
        }
        TimerState needed = this == REVIVE ? TimerState.DEAD : TimerState.SCHEDULED;
        if (asked != null && asked != needed) {
            throw new IllegalArgumentException("state must be " + needed + " to " + word());
        }
        return query.state(needed);
    }

    /** Returns whether it is refused for all timers in a state. */
    public boolean needsCondition() {
        return this == DELIVER || this == RESCHEDULE || this == CANCEL;
    }

    /** Returns whether a query has no condition but the state. */
    public static boolean isEverything(TimerQuery query) {
        return query.queue() == null
                && query.tenantId() == null
                && query.type() == null
                && query.dueFrom() == null
                && query.dueBefore() == null
                && query.filters().isEmpty();
    }

    /**
     * Runs it on all timers that match.
     *
     * @param time for a purge, when they must have ended; for a reschedule, their new due time
     */
    long run(TimerAdmin admin, TimerQuery query, Instant time) {
        TimerQuery all = on(query).limit(BATCH);
        return switch (this) {
            case REVIVE -> admin.revive(all);
            case DELIVER -> admin.deliverNow(all);
            case RESCHEDULE -> admin.reschedule(all, time);
            case CANCEL -> admin.cancel(all);
            case PURGE -> admin.purge(all, time);
        };
    }

    /**
     * Runs it on one timer.
     *
     * @param time for a reschedule, its new due time
     * @return whether the timer was changed; a single timer is never purged
     */
    public boolean on(TimerAdmin admin, TimerKey key, Instant time) {
        return switch (this) {
            case REVIVE -> admin.revive(key);
            case DELIVER -> admin.deliverNow(key);
            case RESCHEDULE -> admin.reschedule(key, time);
            case CANCEL -> admin.cancel(key);
            case PURGE -> false;
        };
    }
}

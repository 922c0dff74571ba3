package dev.duetime.testkit.simulation.invariant;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.internal.timer.TimerContents;
import dev.duetime.store.DueQuery;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.simulation.invariant.Model.Row;
import dev.duetime.testkit.simulation.run.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The rule that the store answers as the model does, even after faults. */
final class StoreAnswers implements Invariant {
    /** The size of the longest error: the model does not know the error of a timer that has failed. */
    private static final long ERROR_BYTES = 2_000;

    @Override
    public void see(Event event, Model model) {
        Event.Fact fact = event.fact();
        if (fact instanceof Event.Wrote wrote) {
            wrote(wrote, model.rows.get(wrote.timer().key()));
        } else if (fact instanceof Event.Cancelled cancelled) {
            cancelled(cancelled, model.rows.get(cancelled.key()));
        } else if (fact instanceof Event.Read read) {
            read(read, model);
        } else if (fact instanceof Event.Settled settled) {
            settled(settled, model);
        } else if (fact instanceof Event.Purged purged) {
            long expected = model.rows.values().stream()
                    .filter(row -> Model.isPurgeable(row, purged.before()))
                    .count();
            check(null, "purge", expected, (long) purged.count());
        }
    }

    private static void wrote(Event.Wrote wrote, @Nullable Row row) {
        check(wrote.timer().key(), "schedule", expected(wrote.timer(), row), wrote.result());
    }

    /** The rules of a schedule, written again without the library's own code. */
    private static ScheduleResult expected(NewTimer timer, @Nullable Row row) {
        if (row != null && row.state() == TimerState.SCHEDULED) {
            // The todo may be in the middle of its steps.
            boolean isTodo = row.timer().content().step() != null;
            boolean repeat = isTodo || said(row.timer()).equals(said(timer));
            return new ScheduleResult(
                    timer.key(),
                    repeat ? ScheduleOutcome.UNCHANGED : ScheduleOutcome.RESCHEDULED,
                    TimerState.SCHEDULED,
                    repeat ? row.timer().generation() : timer.generation());
        }
        if (row == null || row.state() == TimerState.CANCELLED || timer.rearm()) {
            return new ScheduleResult(timer.key(), ScheduleOutcome.CREATED, TimerState.SCHEDULED, timer.generation());
        }
        return new ScheduleResult(
                timer.key(), ScheduleOutcome.IGNORED, row.state(), row.timer().generation());
    }

    /** The due time of a recurring timer follows from its recurrence alone. */
    private static TimerContent said(NewTimer timer) {
        TimerContent content = timer.content();
        return content.recurrence() == null ? content : TimerContents.at(content, Instant.EPOCH);
    }

    private static void cancelled(Event.Cancelled cancelled, @Nullable Row row) {
        CancelResult expected = row == null
                ? CancelResult.NOT_FOUND
                : Model.cancels(cancelled, row) ? CancelResult.CANCELLED : CancelResult.TOO_LATE;
        check(cancelled.key(), "cancel", expected, cancelled.result());
    }

    private static void read(Event.Read read, Model model) {
        Set<TimerKey> seen = new HashSet<>();
        for (StoredTimer timer : read.timers()) {
            Row row = model.rows.get(timer.key());
            if (row == null || !row.isScheduled(timer.generation())) {
                throw new Violation(
                        timer.key(), "store says that generation %d is due, but stored is %s", timer.generation(), row);
            }
            check(timer.key(), "wakeAt of due", row.wakeAt(), timer.wakeAt());
            check(timer.key(), "attempt of due", row.attempt(), timer.attempt());
            seen.add(timer.key());
        }
        List<Row> missing = new ArrayList<>();
        int held = 0;
        for (Row row : model.rows.values()) {
            boolean due = isDue(row, read.query());
            TimerKey key = row.timer().key();
            if (!due && seen.contains(key)) {
                throw new Violation(key, "store says that due is true, but stored is %s", row);
            }
            if (due && !seen.contains(key)) {
                if (read.query().isHeld(key, row.timer().generation())) {
                    held++;
                } else {
                    missing.add(row);
                }
            }
        }
        if (!missing.isEmpty() && seen.size() + held < read.query().limit() && !isCutByBytes(read, missing)) {
            Row row = missing.get(0);
            throw new Violation(row.timer().key(), "store says that due is false, but stored is %s", row);
        }
    }

    private static boolean isDue(Row row, DueQuery query) {
        return row.wakeAt() != null
                && !row.wakeAt().isBefore(query.from())
                && !row.wakeAt().isAfter(query.now())
                && query.shards().contains(row.timer().shard())
                && !isLeftOut(row.timer(), query.but());
    }

    /** Returns whether the oldest missing timer may have exceeded the limit of bytes. */
    private static boolean isCutByBytes(Event.Read read, List<Row> missing) {
        if (read.timers().isEmpty()) {
            return false;
        }
        long left = read.query().bytes();
        for (StoredTimer timer : read.timers()) {
            left -= StoredTimers.bytes(timer);
        }
        Instant oldest = missing.stream()
                .map(Row::wakeAt)
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElseThrow();
        for (Row row : missing) {
            if (oldest.equals(row.wakeAt()) && StoredTimers.bytes(row.timer().content()) + ERROR_BYTES > left) {
                return true;
            }
        }
        return false;
    }

    private static boolean isLeftOut(NewTimer timer, DueQuery.Exclusion but) {
        String parallelKey = timer.content().parallelKey();
        boolean busyKey = parallelKey != null && but.parallelKeys().contains(parallelKey);
        boolean otherKey = parallelKey == null || !but.only().contains(parallelKey);
        return busyKey
                || (otherKey && !but.only().isEmpty())
                || but.types().contains(timer.content().type())
                || (but.tenants().contains(timer.key().tenantId())
                        && timer.content().priority() <= but.upTo());
    }

    /** A batch may contain a timer twice if a former outcome of it was still open. */
    private static void settled(Event.Settled settled, Model model) {
        Map<TimerKey, Long> ended = new HashMap<>();
        int expected = 0;
        for (Settlement each : settled.settlements()) {
            Long before = ended.get(each.key());
            if (model.applies(each) && (before == null || before != each.generation())) {
                expected++;
                if (!(each instanceof Settlement.Retried)) {
                    ended.put(each.key(), each.generation());
                }
            }
        }
        TimerKey first = settled.settlements().isEmpty()
                ? null
                : settled.settlements().get(0).key();
        check(first, "settle of " + settled.settlements(), expected, settled.count());
    }

    private static void check(@Nullable TimerKey key, String what, @Nullable Object expected, @Nullable Object said) {
        if (expected == null ? said != null : !expected.equals(said)) {
            throw new Violation(key, "store answers %s with %s instead of %s", what, said, expected);
        }
    }
}

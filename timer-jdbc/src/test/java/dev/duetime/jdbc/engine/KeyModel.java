package dev.duetime.jdbc.engine;

import dev.duetime.CancelResult;
import dev.duetime.ScheduleOutcome;
import dev.duetime.StoredTimer;
import dev.duetime.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a user expects of keys, as a map: a timer is known by tenant and id, a todo by tenant, queue and id. It says
 * what each call does, and what time does. Not thread-safe.
 */
final class KeyModel {
    static final Duration VALID_FOR = Duration.ofSeconds(2);

    /** What such a payload contains ends its timer or todo as dead. */
    static final String FATAL = "fatal";

    private static final Comparator<String> BY_CODE_POINTS = (one, other) ->
            Arrays.compare(one.codePoints().toArray(), other.codePoints().toArray());

    private static final Comparator<Name> IN_ORDER = Comparator.comparing(Name::tenant, BY_CODE_POINTS)
            .thenComparing(Name::id, BY_CODE_POINTS)
            .thenComparing(Name::ofQueue, BY_CODE_POINTS);

    /**
     * A name.
     *
     * @param ofQueue the queue of a todo; empty for a timer
     */
    record Name(String tenant, String id, String ofQueue) {}

    /** What a user schedules or enqueues. */
    record Content(
            String queue,
            Instant dueAt,
            String payload,
            boolean expires,
            boolean recurs,
            @Nullable String correlationId,
            @Nullable String correlationKey) {

        private Content at(Instant changed) {
            return new Content(queue, changed, payload, expires, recurs, correlationId, correlationKey);
        }

        private Content with(String changed) {
            return new Content(queue, dueAt, changed, expires, recurs, correlationId, correlationKey);
        }

        private boolean repeats(Content stored) {
            return equals(recurs && stored.recurs ? stored.at(dueAt) : stored);
        }
    }

    /** What is stored of it. */
    record Row(
            Content content,
            TimerState state,
            Instant wakeAt,
            @Nullable Instant expiresAt) {

        private Row ended(TimerState how) {
            return new Row(content, how, wakeAt, expiresAt);
        }

        private Row moved(Instant dueAt, Instant wakesAt) {
            return new Row(content.at(dueAt), TimerState.SCHEDULED, wakesAt, expiresAt);
        }
    }

    /** What a call says. */
    record Said(Name name, ScheduleOutcome outcome) {}

    /** What is handed over. */
    record Delivery(Name name, String payload) {}

    private final Map<Name, Row> rows = new TreeMap<>(IN_ORDER);
    private final List<Delivery> delivered = new ArrayList<>();

    static Name nameOf(StoredTimer stored) {
        boolean todo = stored.content().step() != null;
        return new Name(
                stored.key().tenantId(),
                stored.key().timerId(),
                todo ? stored.content().queue() : "");
    }

    Said schedule(Name name, Content content, boolean rearm) {
        Row standing = rows.get(name);
        if (standing != null && standing.state == TimerState.SCHEDULED) {
            boolean repeat = !name.ofQueue.isEmpty() || content.repeats(standing.content);
            if (!repeat) {
                put(name, content);
            }
            return new Said(name, repeat ? ScheduleOutcome.UNCHANGED : ScheduleOutcome.RESCHEDULED);
        }
        if (standing != null && standing.state != TimerState.CANCELLED && !rearm) {
            return new Said(name, ScheduleOutcome.IGNORED);
        }
        Name waiting = waiting(name, content);
        put(name, content);
        if (waiting == null) {
            return new Said(name, ScheduleOutcome.CREATED);
        }
        rows.compute(name, (same, row) -> row.ended(TimerState.REACHED));
        rows.compute(waiting, (same, row) -> {
            Content together = row.content.with(row.content.payload + content.payload);
            return new Row(together, row.state, row.wakeAt, row.expiresAt);
        });
        return new Said(waiting, ScheduleOutcome.MERGED);
    }

    private void put(Name name, Content content) {
        Instant expiresAt = content.expires ? content.dueAt.plus(VALID_FOR) : null;
        rows.put(name, new Row(content, TimerState.SCHEDULED, content.dueAt, expiresAt));
    }

    private @Nullable Name waiting(Name arriving, Content content) {
        return content.correlationKey == null
                ? null
                : rows.entrySet().stream()
                        .filter(each -> each.getKey().tenant.equals(arriving.tenant))
                        .filter(each -> each.getKey().ofQueue.equals(arriving.ofQueue))
                        .filter(each -> each.getValue().state == TimerState.SCHEDULED)
                        .filter(each -> content.correlationKey.equals(each.getValue().content.correlationKey))
                        .max(Comparator.<Map.Entry<Name, Row>, Instant>comparing(each -> each.getValue().content.dueAt)
                                .thenComparing(Map.Entry::getKey, IN_ORDER))
                        .map(Map.Entry::getKey)
                        .orElse(null);
    }

    CancelResult cancel(Name name) {
        Row row = rows.get(name);
        if (row == null) {
            return CancelResult.NOT_FOUND;
        }
        boolean may = row.state == TimerState.SCHEDULED;
        if (may) {
            rows.put(name, row.ended(TimerState.CANCELLED));
        }
        return may ? CancelResult.CANCELLED : CancelResult.TOO_LATE;
    }

    boolean deliverNow(Name name, Instant now) {
        Row row = rows.get(name);
        if (row == null || row.state != TimerState.SCHEDULED || row.content.recurs || !row.wakeAt.isAfter(now)) {
            return false;
        }
        rows.put(name, row.moved(row.content.dueAt.isAfter(now) ? now : row.content.dueAt, now));
        return true;
    }

    /** Returns whether an operator may ask: a time after the deadline is refused. */
    boolean mayReschedule(Name name, Instant dueAt) {
        Row row = rows.get(name);
        return row == null || row.expiresAt == null || !dueAt.isAfter(row.expiresAt);
    }

    boolean reschedule(Name name, Instant dueAt) {
        Row row = rows.get(name);
        if (row == null
                || row.state != TimerState.SCHEDULED
                || row.content.recurs
                || (row.content.dueAt.equals(dueAt) && row.wakeAt.equals(dueAt))) {
            return false;
        }
        rows.put(name, row.moved(dueAt, dueAt));
        return true;
    }

    boolean revive(Name name, Instant now) {
        Row row = rows.get(name);
        if (row == null || row.state != TimerState.DEAD) {
            return false;
        }
        Instant dueAt = row.content.dueAt;
        rows.put(name, row.moved(dueAt, dueAt.isAfter(now) ? dueAt : now));
        return true;
    }

    /** Cancels all of a tenant whose ids begin so, on one queue. */
    long cancelAll(String tenant, String queue, String idPrefix) {
        List<Name> all = rows.entrySet().stream()
                .filter(each -> each.getKey().tenant.equals(tenant))
                .filter(each -> each.getKey().id.startsWith(idPrefix))
                .filter(each -> each.getValue().content.queue.equals(queue))
                .filter(each -> each.getValue().state == TimerState.SCHEDULED)
                .map(Map.Entry::getKey)
                .toList();
        all.forEach(this::cancel);
        return all.size();
    }

    /** Deletes what has ended of a tenant on one queue, but nothing dead unless it asks for that. */
    long purge(String tenant, String queue, boolean dead) {
        long before = rows.size();
        rows.entrySet()
                .removeIf(each -> each.getKey().tenant.equals(tenant)
                        && each.getValue().content.queue.equals(queue)
                        && (dead ? each.getValue().state == TimerState.DEAD : isForgotten(each.getValue())));
        return before - rows.size();
    }

    /** Deletes what the retention does not keep. */
    void forget() {
        rows.values().removeIf(KeyModel::isForgotten);
    }

    private static boolean isForgotten(Row row) {
        return row.state != TimerState.SCHEDULED && row.state != TimerState.DEAD;
    }

    /** Hands over what is due, except on a paused queue. */
    void pass(Instant now, String paused) {
        rows.replaceAll((name, row) -> {
            if (row.state != TimerState.SCHEDULED
                    || row.content.recurs
                    || row.wakeAt.isAfter(now)
                    || row.content.queue.equals(paused)) {
                return row;
            }
            if (row.expiresAt != null && now.isAfter(row.expiresAt)) {
                return row.ended(TimerState.EXPIRED);
            }
            if (row.content.payload.contains(FATAL)) {
                return row.ended(TimerState.DEAD);
            }
            delivered.add(new Delivery(name, row.content.payload));
            return row.ended(TimerState.REACHED);
        });
    }

    Map<Name, Row> rows() {
        return rows;
    }

    List<Delivery> delivered() {
        return delivered;
    }
}

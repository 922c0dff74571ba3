package dev.duetime;

import dev.duetime.internal.ErrorClass;
import dev.duetime.internal.Limits;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A query for timers, page by page, in order of their keys. A condition that was not set does not count: its component
 * is null. The methods refuse null, so that a value that is missing by mistake never means all timers. Immutable and
 * thread-safe.
 *
 * <pre>{@code TimerQuery.all().state(TimerState.SCHEDULED).tenantId("acme").limit(50)}</pre>
 *
 * @param state in this state
 * @param queue on this queue
 * @param tenantId of this tenant
 * @param type of this type
 * @param dueFrom due at this time or later
 * @param dueBefore due before this time
 * @param after with a key after this one: the last key of the page before
 * @param limit how many at most, 1 to 10,000; 100 by default
 * @param scans whether the database may look at every timer for an answer; see {@link #allowScan}
 * @param filters further conditions, on content and failure
 */
public record TimerQuery(
        @Nullable TimerState state,
        @Nullable String queue,
        @Nullable String tenantId,
        @Nullable String type,
        @Nullable Instant dueFrom,
        @Nullable Instant dueBefore,
        @Nullable TimerKey after,
        int limit,
        boolean scans,
        Filters filters) {

    private static final int DEFAULT_LIMIT = 100;
    private static final int MOST = 10_000;

    /**
     * Checks the limit.
     *
     * @throws IllegalArgumentException if {@code limit} is not between 1 and 10,000
     */
    public TimerQuery {
        Limits.number("limit", limit, 1, MOST);
    }

    /** Returns the query for all timers, 100 a page. */
    public static TimerQuery all() {
        return new TimerQuery(null, null, null, null, null, null, null, DEFAULT_LIMIT, false, Filters.NONE);
    }

    /**
     * Returns this query for timers in one state.
     *
     * @throws IllegalArgumentException if {@code only} is null
     */
    public TimerQuery state(TimerState only) {
        Limits.given("state", only);
        return new TimerQuery(only, queue, tenantId, type, dueFrom, dueBefore, after, limit, scans, filters);
    }

    /**
     * Returns this query for timers of one queue.
     *
     * @throws IllegalArgumentException if {@code only} is null
     */
    public TimerQuery queue(String only) {
        Limits.given("queue", only);
        return new TimerQuery(state, only, tenantId, type, dueFrom, dueBefore, after, limit, scans, filters);
    }

    /**
     * Returns this query for timers of one tenant.
     *
     * @throws IllegalArgumentException if {@code only} is null
     */
    public TimerQuery tenantId(String only) {
        Limits.given("tenantId", only);
        return new TimerQuery(state, queue, only, type, dueFrom, dueBefore, after, limit, scans, filters);
    }

    /**
     * Returns this query for timers of one type.
     *
     * @throws IllegalArgumentException if {@code only} is null
     */
    public TimerQuery type(String only) {
        Limits.given("type", only);
        return new TimerQuery(state, queue, tenantId, only, dueFrom, dueBefore, after, limit, scans, filters);
    }

    /**
     * Returns this query for timers with {@code from <= dueAt < before}.
     *
     * @throws IllegalArgumentException if one of both is null
     */
    public TimerQuery due(Instant from, Instant before) {
        Limits.given("from", from);
        Limits.given("before", before);
        return new TimerQuery(state, queue, tenantId, type, from, before, after, limit, scans, filters);
    }

    /**
     * Returns this query for timers of one conversation: see {@link Timer.Builder#correlationId}.
     *
     * @throws IllegalArgumentException if {@code only} is null
     */
    public TimerQuery correlationId(String only) {
        Limits.given("correlationId", only);
        return filters(new Filters(only, filters.parallelKey, filters.idPrefix, filters.errorClass));
    }

    /**
     * Returns this query for timers with one parallel key.
     *
     * @throws IllegalArgumentException if {@code only} is null
     */
    public TimerQuery parallelKey(String only) {
        Limits.given("parallelKey", only);
        return filters(new Filters(filters.correlationId, only, filters.idPrefix, filters.errorClass));
    }

    /**
     * Returns this query for timers whose id begins with a text. Together with {@link #tenantId} an index finds them.
     *
     * @throws IllegalArgumentException if {@code prefix} is null or empty
     */
    public TimerQuery idPrefix(String prefix) {
        Limits.text("idPrefix", prefix, Limits.KEY_LENGTH);
        return filters(new Filters(filters.correlationId, filters.parallelKey, prefix, filters.errorClass));
    }

    /**
     * Returns this query for timers whose last failure is of one class: see {@link StoredTimer.Failure#errorClass}.
     * A text of more than 255 characters is cut, as the class of a failure is.
     *
     * @throws IllegalArgumentException if {@code only} is null
     */
    public TimerQuery errorClass(String only) {
        Limits.given("errorClass", only);
        return filters(new Filters(filters.correlationId, filters.parallelKey, filters.idPrefix, only));
    }

    private TimerQuery filters(Filters all) {
        return new TimerQuery(state, queue, tenantId, type, dueFrom, dueBefore, after, limit, scans, all);
    }

    /**
     * Returns this query for the page after the one that ended with {@code last}.
     *
     * @throws IllegalArgumentException if {@code last} is null
     */
    public TimerQuery after(TimerKey last) {
        Limits.given("last", last);
        return new TimerQuery(state, queue, tenantId, type, dueFrom, dueBefore, last, limit, scans, filters);
    }

    /**
     * Returns this query with another page size.
     *
     * @throws IllegalArgumentException if {@code most} is not between 1 and 10,000
     */
    public TimerQuery limit(int most) {
        return new TimerQuery(state, queue, tenantId, type, dueFrom, dueBefore, after, most, scans, filters);
    }

    /**
     * Returns this query with the permission to scan all timers in the database. Without it, a query or count that
     * would have to examine more than 2,000 timers is refused with an {@link IllegalArgumentException}. So a dashboard
     * cannot slow down a database that keeps many ended timers. A small table needs no permission. Nor does a page that
     * an index finds: by tenant, by {@link TimerState#DEAD}, of all timers, or by {@link TimerState#SCHEDULED} if at
     * most 2,000 are scheduled.
     */
    public TimerQuery allowScan() {
        return new TimerQuery(state, queue, tenantId, type, dueFrom, dueBefore, after, limit, true, filters);
    }

    /**
     * The conditions of a query on the content and the failure of timers. A condition that was not set is null.
     *
     * @param correlationId of this conversation
     * @param parallelKey with this parallel key
     * @param idPrefix with an id that begins with this text
     * @param errorClass with a last failure of this class
     */
    public record Filters(
            @Nullable String correlationId,
            @Nullable String parallelKey,
            @Nullable String idPrefix,
            @Nullable String errorClass) {
        /** No further condition. */
        public static final Filters NONE = new Filters(null, null, null, null);

        /** Cuts the error class as {@link StoredTimer.Failure#errorClass} does. */
        public Filters {
            errorClass = errorClass == null ? null : ErrorClass.cut(errorClass);
        }

        /** Returns whether there is no condition. */
        public boolean isEmpty() {
            return equals(NONE);
        }
    }
}

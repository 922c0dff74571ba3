package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.lanes.TenantSearch;
import dev.duetime.engine.loop.ReadWindow;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The search for due timers of tenants that wait behind the backlog of others. While a read is full, further reads
 * leave out the tenants that fill it. One part of them follows the present, so that a timer is found when it becomes
 * due. The other part goes through the backlog step by step. In each part a read that is full is followed by another
 * one, which also leaves out the tenants that fill the first. Each part takes a bounded share of the time. Used by the
 * loop's thread.
 */
final class OtherTenants {
    /** How many reads follow each other, each one without the tenants that fill those before. */
    private static final int LEVELS = 8;

    /** Bounds the statement. Timers of further tenants that fill reads are returned again. */
    private static final int MOST_LEFT_OUT = 100;

    /** A search that has found something is followed by another one after this many times as long as it took. */
    private static final int PART_IF_FOUND = 3;
    /** A search that has found nothing is followed by another one after this many times as long as it took. */
    private static final int PART = 20;
    /** The same, while only one tenant is known. */
    private static final int PART_OF_ONE_TENANT = 50;

    private static final long SHORTEST_REST_NANOS = Duration.ofMillis(10).toNanos();
    private static final long REST_OF_ONE_TENANT_NANOS = Duration.ofMillis(100).toNanos();
    private static final long REST_OF_SWEEP_NANOS = Duration.ofSeconds(1).toNanos();

    /** How long a queue counts as one of several tenants. */
    private static final long KNOWN_NANOS = Duration.ofMinutes(1).toNanos();

    private static final long SHORT_STEP_NANOS = Duration.ofMillis(5).toNanos();
    private static final long LONG_STEP_NANOS = Duration.ofMillis(20).toNanos();
    private static final Duration SHORTEST_STEP = Duration.ofMillis(1);
    private static final Duration LONGEST_STEP = Duration.ofDays(1);
    private static final int STEP_FACTOR = 4;

    private final Clock clock;

    /** From where the reads that follow the present continue, one of each level. */
    private final Instant[] present = new Instant[LEVELS];

    /** From where the reads of the backlog continue, one of each level. The first one has not searched what follows. */
    private final Instant[] backlog = new Instant[LEVELS];

    private Instant backlogTo = Instant.MIN;
    private Duration step = Duration.ofSeconds(1);

    private boolean isBacklog;
    private long searchAtNanos;
    private long sweepAtNanos;
    private long sweptNanos;
    private long severalUntilNanos;

    /** The tenants that filled the last read. The searches of the present have left out what became due of them. */
    private Set<String> filledBefore = Set.of();

    /** Whether one of them no longer fills a read, so that the backlog is searched again without a long rest. */
    private boolean sweepsAgain;

    /** From when on the search of the backlog keeps within its share of the time. */
    private long mayStartAtNanos;

    /**
     * The parallel keys of timers that a search has found. These wait for their place in the backlog, and must not hide
     * what is due after them.
     */
    private final Set<String> keys = new HashSet<>();

    private List<StoredTimer> found = List.of();

    /** The level of the read that has found a timer, by its id. */
    private final Map<String, Integer> levels = new HashMap<>();

    OtherTenants(Clock clock) {
        this.clock = clock;
        Arrays.fill(present, Instant.MAX);
        Arrays.fill(backlog, Instant.MAX);
        severalUntilNanos = clock.nanoTime();
    }

    /**
     * Searches if the read is full, within its share of the time.
     *
     * @param asked what was read
     * @param limit how many timers each read finds, at most
     * @param inCalls the timers that are in calls: a read returns them again
     * @throws dev.duetime.StoreException if the store failed
     */
    void search(
            ScheduleStore store, Claim claim, DueQuery asked, DueTimers read, int limit, List<StoredTimer> inCalls) {
        found = List.of();
        levels.clear();
        long began = clock.nanoTime();
        if (hasSeveral(read.timers())) {
            severalUntilNanos = began + KNOWN_NANOS;
        }
        if (!read.more() || read.timers().isEmpty()) {
            isBacklog = false;
            return;
        }
        if (!isBacklog) {
            begin(asked, read, began);
        }
        Set<String> filling = TenantSearch.filling(read.timers(), limit);
        noteFilling(filling);
        boolean follows = began - searchAtNanos >= 0;
        boolean sweeps = began - sweepAtNanos >= 0;
        if ((!follows && !sweeps) || filling.isEmpty() || filling.size() > MOST_LEFT_OUT) {
            return;
        }
        TenantSearch search = new TenantSearch(store, claim, asked, limit, keys, inCalls);
        List<StoredTimer> others = new ArrayList<>();
        if (follows) {
            followPresent(search, filling, others);
            long ended = clock.nanoTime();
            searchAtNanos = ended + rest(!others.isEmpty(), ended, ended - began);
        }
        if (sweeps) {
            sweep(search, filling, others);
        }
        if (!claim.isStillOurs()) {
            // This read is abandoned. What it skipped is searched again.
            isBacklog = false;
            return;
        }
        noteKeys(others);
        Set<String> known = new HashSet<>();
        read.timers().forEach(each -> known.add(TenantSearch.id(each)));
        // A timer of a parallel key may have an earlier one in the part that was not searched.
        found = others.stream()
                .filter(each -> each.content().parallelKey() == null && known.add(TenantSearch.id(each)))
                .toList();
        if (!found.isEmpty()) {
            severalUntilNanos = clock.nanoTime() + KNOWN_NANOS;
        }
    }

    private void noteKeys(List<StoredTimer> others) {
        for (StoredTimer each : others) {
            String key = each.content().parallelKey();
            if (key != null && keys.size() < MOST_LEFT_OUT) {
                keys.add(key);
            }
        }
    }

    private void noteFilling(Set<String> filling) {
        sweepsAgain |= !filling.containsAll(filledBefore);
        filledBefore = filling;
        boolean rests = !backlog[0].isBefore(backlogTo);
        if (sweepsAgain && rests && mayStartAtNanos - sweepAtNanos < 0) {
            sweepAtNanos = mayStartAtNanos;
        }
    }

    /** Does not search for this read, but goes on with the next one. */
    void skip() {
        found = List.of();
    }

    private long rest(boolean hasFound, long now, long took) {
        if (hasFound) {
            return PART_IF_FOUND * took;
        }
        return severalUntilNanos - now > 0
                ? Math.max(SHORTEST_REST_NANOS, PART * took)
                : Math.max(REST_OF_ONE_TENANT_NANOS, PART_OF_ONE_TENANT * took);
    }

    /** Returns whether the queue has had timers of several tenants lately. */
    boolean areKnown() {
        return severalUntilNanos - clock.nanoTime() > 0;
    }

    private static boolean hasSeveral(List<StoredTimer> timers) {
        return timers.stream()
                .anyMatch(each ->
                        !each.key().tenantId().equals(timers.get(0).key().tenantId()));
    }

    private void begin(DueQuery asked, DueTimers read, long nanos) {
        isBacklog = true;
        Arrays.fill(present, asked.now());
        Arrays.fill(backlog, TenantSearch.end(read, asked.now()));
        backlogTo = asked.now();
        // A short backlog of one tenant is not searched.
        searchAtNanos = severalUntilNanos - nanos > 0 ? nanos : nanos + REST_OF_ONE_TENANT_NANOS;
        sweepAtNanos = searchAtNanos;
        mayStartAtNanos = searchAtNanos;
        sweptNanos = 0;
        filledBefore = Set.of();
        sweepsAgain = false;
        keys.clear();
    }

    /** Reads what has become due since the last search. */
    private void followPresent(TenantSearch search, Set<String> filling, List<StoredTimer> others) {
        Instant now = search.asked().now();
        if (present[0].isBefore(now)) {
            read(search, present, from -> now, filling, others);
        }
    }

    /**
     * Reads level by level. Each level leaves out the tenants that fill those before, and so comes to the timers behind
     * theirs. If a level returns all timers that are left, the next ones have nothing to read.
     */
    private void read(
            TenantSearch search,
            Instant[] from,
            UnaryOperator<Instant> end,
            Set<String> filling,
            List<StoredTimer> others) {
        Set<String> leftOut = new HashSet<>(filling);
        for (int level = 0; level < LEVELS && leftOut.size() <= MOST_LEFT_OUT && search.mayHold(others); level++) {
            from[level] = level == 0 ? from[level] : Times.later(from[level], from[0]);
            Instant to = end.apply(from[level]);
            if (!from[level].isBefore(to)) {
                return;
            }
            int limit = level == 0 ? search.limit() : ReadWindow.roundedUp(Math.max(1, search.limit() / (level + 1)));
            DueTimers read = search.read(from[level], to, leftOut, limit);
            for (StoredTimer each : search.withoutCalls(read.timers())) {
                others.add(each);
                levels.putIfAbsent(TenantSearch.id(each), level);
            }
            from[level] = TenantSearch.end(read, to);
            if (!read.more()) {
                for (int next = level + 1; next < LEVELS; next++) {
                    from[next] = Times.later(from[next], to);
                }
                return;
            }
            leftOut.addAll(TenantSearch.filling(read.timers(), limit));
        }
    }

    /** Goes a step through the backlog that was there when it was noticed, and begins again after a long rest. */
    private void sweep(TenantSearch search, Set<String> filling, List<StoredTimer> others) {
        long began = clock.nanoTime();
        int foundBefore = others.size();
        if (!backlog[0].isBefore(backlogTo)) {
            Arrays.fill(backlog, search.asked().from());
            backlogTo = search.asked().now();
            sweptNanos = 0;
            sweepsAgain = false;
        }
        read(search, backlog, this::endOfStep, filling, others);
        long took = clock.nanoTime() - began;
        sweptNanos += took;
        if (took < SHORT_STEP_NANOS) {
            step = step.compareTo(LONGEST_STEP) < 0 ? step.multipliedBy(STEP_FACTOR) : step;
        } else if (took > LONG_STEP_NANOS) {
            step = step.compareTo(SHORTEST_STEP) > 0 ? step.dividedBy(STEP_FACTOR) : step;
        }
        long ended = began + took;
        mayStartAtNanos = ended + PART * sweptNanos;
        sweepAtNanos = backlog[0].isBefore(backlogTo)
                ? ended + rest(others.size() > foundBefore, ended, took)
                : mayStartAtNanos + (sweepsAgain ? 0 : REST_OF_SWEEP_NANOS);
    }

    private Instant endOfStep(Instant from) {
        Instant start = from.equals(Instant.MIN) ? backlogTo.minus(LONGEST_STEP) : from;
        return Times.earlier(start.plus(step), backlogTo);
    }

    /** Returns what the last search has found. */
    List<StoredTimer> found() {
        return found;
    }

    /** Notes the timers that were found and not published: they are found again. */
    void left(List<StoredTimer> timers) {
        if (found.isEmpty() || timers.isEmpty()) {
            return;
        }
        for (StoredTimer each : timers) {
            Instant wakeAt = each.wakeAt();
            int level = levels.getOrDefault(TenantSearch.id(each), -1);
            // The later levels leave out its tenant.
            for (int i = 0; i <= level && wakeAt != null; i++) {
                present[i] = Times.earlier(present[i], wakeAt);
            }
        }
        found = List.of();
    }
}

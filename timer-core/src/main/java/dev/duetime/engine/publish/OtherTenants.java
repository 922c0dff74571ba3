package dev.duetime.engine.publish;

import dev.duetime.Clock;
import dev.duetime.StoredTimer;
import dev.duetime.engine.shards.Claim;
import dev.duetime.internal.Times;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The search for due timers of tenants that wait behind the backlog of others. While a read is full, further reads
 * leave out the tenants that fill it. Two of them follow the present, so that a timer is found when it becomes due; the
 * second one also leaves out the tenants that fill the first. Another one goes through the backlog step by step. All of
 * them together take a bounded part of the time. Used by the loop's thread.
 */
final class OtherTenants {
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

    /** From where the two reads that follow the present continue; null while there is no backlog. */
    private final Instant[] present = {Instant.MAX, Instant.MAX};

    /** The part of the backlog that was not searched yet. */
    private Instant sweepFrom = Instant.MAX;

    private Instant sweepTo = Instant.MIN;
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

    OtherTenants(Clock clock) {
        this.clock = clock;
        severalUntilNanos = clock.nanoTime();
    }

    /**
     * Searches if the read is full, within its share of the time.
     *
     * @param asked what was read
     * @param limit how many timers to find, at most
     * @throws dev.duetime.StoreException if the store failed
     */
    void search(ScheduleStore store, Claim claim, DueQuery asked, DueTimers read, int limit) {
        found = List.of();
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
        Set<String> filling = filling(read.timers(), limit);
        noteFilling(filling);
        boolean follows = began - searchAtNanos >= 0;
        boolean sweeps = began - sweepAtNanos >= 0;
        if ((!follows && !sweeps) || filling.isEmpty() || filling.size() > MOST_LEFT_OUT) {
            return;
        }
        Search search = new Search(store, claim, asked, limit, keys);
        List<StoredTimer> others = new ArrayList<>();
        if (follows) {
            followPresent(search, filling, others);
            long ended = clock.nanoTime();
            searchAtNanos = ended + rest(!others.isEmpty(), ended, ended - began);
        }
        if (sweeps && others.size() < limit) {
            sweep(search, filling, others);
        }
        if (!claim.isStillOurs()) {
            // This read is abandoned. What it skipped is searched again.
            isBacklog = false;
            return;
        }
        noteKeys(others);
        Set<String> known = new HashSet<>();
        read.timers().forEach(each -> known.add(id(each)));
        // A timer of a parallel key may have an earlier one in the part that was not searched.
        found = others.stream()
                .filter(each -> each.content().parallelKey() == null && known.add(id(each)))
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
        boolean rests = !sweepFrom.isBefore(sweepTo);
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

    private static String id(StoredTimer timer) {
        return timer.key() + "#" + timer.generation();
    }

    private void begin(DueQuery asked, DueTimers read, long nanos) {
        isBacklog = true;
        present[0] = asked.now();
        present[1] = asked.now();
        sweepFrom = end(read, asked.now());
        sweepTo = asked.now();
        // A short backlog of one tenant is not searched.
        searchAtNanos = severalUntilNanos - nanos > 0 ? nanos : nanos + REST_OF_ONE_TENANT_NANOS;
        sweepAtNanos = searchAtNanos;
        mayStartAtNanos = searchAtNanos;
        sweptNanos = 0;
        filledBefore = Set.of();
        sweepsAgain = false;
        keys.clear();
    }

    /** Returns where the next read continues: at the last timer, or at {@code to} if there are no more. */
    private static Instant end(DueTimers read, Instant to) {
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        return !read.more() || last == null ? to : last;
    }

    /** Reads what has become due since the last search. */
    private void followPresent(Search search, Set<String> filling, List<StoredTimer> others) {
        Instant now = search.asked.now();
        Set<String> leftOut = new HashSet<>(filling);
        for (int i = 0; i < present.length && present[i].isBefore(now); i++) {
            DueTimers read = search.read(present[i], now, leftOut);
            others.addAll(read.timers());
            present[i] = end(read, now);
            if (!present[i].isBefore(now)) {
                for (int j = i; j < present.length; j++) {
                    present[j] = now;
                }
                return;
            }
            leftOut.addAll(filling(read.timers(), search.limit));
            if (leftOut.size() > MOST_LEFT_OUT) {
                return;
            }
        }
    }

    /** Goes a step through the backlog that was there when it was noticed, and begins again after a long rest. */
    private void sweep(Search search, Set<String> filling, List<StoredTimer> others) {
        long began = clock.nanoTime();
        DueQuery asked = search.asked;
        if (!sweepFrom.isBefore(sweepTo)) {
            sweepFrom = asked.from();
            sweepTo = asked.now();
            sweptNanos = 0;
            sweepsAgain = false;
        }
        Instant start = sweepFrom.equals(Instant.MIN) ? sweepTo.minus(LONGEST_STEP) : sweepFrom;
        Instant to = Times.earlier(start.plus(step), sweepTo);
        DueTimers read = search.read(sweepFrom, to, filling);
        others.addAll(read.timers());
        sweepFrom = end(read, to);
        long took = clock.nanoTime() - began;
        sweptNanos += took;
        if (took < SHORT_STEP_NANOS) {
            step = step.compareTo(LONGEST_STEP) < 0 ? step.multipliedBy(STEP_FACTOR) : step;
        } else if (took > LONG_STEP_NANOS) {
            step = step.compareTo(SHORTEST_STEP) > 0 ? step.dividedBy(STEP_FACTOR) : step;
        }
        long ended = began + took;
        mayStartAtNanos = ended + PART * sweptNanos;
        sweepAtNanos = sweepFrom.isBefore(sweepTo)
                ? ended + rest(!read.timers().isEmpty(), ended, took)
                : mayStartAtNanos + (sweepsAgain ? 0 : REST_OF_SWEEP_NANOS);
    }

    /** Returns the tenants that have their whole share of a batch in the read. */
    private static Set<String> filling(List<StoredTimer> timers, int limit) {
        Map<String, Integer> counts = new HashMap<>();
        timers.forEach(each -> counts.merge(each.key().tenantId(), 1, Integer::sum));
        int share = Math.max(1, limit / (2 * counts.size()));
        return counts.entrySet().stream()
                .filter(each -> each.getValue() >= share)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
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
        Set<String> mine = found.stream().map(OtherTenants::id).collect(Collectors.toSet());
        timers.stream()
                .filter(each -> mine.contains(id(each)) && each.wakeAt() != null)
                .map(StoredTimer::wakeAt)
                .min(Comparator.naturalOrder())
                .ifPresent(oldest -> {
                    for (int i = 0; i < present.length; i++) {
                        present[i] = Times.earlier(present[i], oldest);
                    }
                });
        found = List.of();
    }

    /** A search that follows one read. */
    private record Search(ScheduleStore store, Claim claim, DueQuery asked, int limit, Set<String> keys) {

        /** Reads timers of other tenants, unless the node may have lost a shard meanwhile. */
        DueTimers read(Instant from, Instant to, Set<String> leftOut) {
            if (!claim.isStillOurs()) {
                return new DueTimers(List.of(), false);
            }
            Set<String> tenants = new HashSet<>(leftOut);
            tenants.addAll(asked.but().tenants());
            Set<String> keyed = new HashSet<>(keys);
            keyed.addAll(asked.but().parallelKeys());
            Exclusion others = new Exclusion(keyed, asked.but().types(), tenants, Integer.MAX_VALUE);
            return store.due(
                    new DueQuery(asked.queue(), asked.shards(), from, to, limit, others, asked.bytes(), asked.held()));
        }
    }
}

package dev.duetime.engine.lanes;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.shards.Claim;
import dev.duetime.engine.window.ReadWindow;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueQuery.Exclusion;
import dev.duetime.store.DueTimers;
import dev.duetime.store.DueTimers.Undecodable;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A search for due timers of other tenants, which follows one read.
 *
 * @param asked what was read
 * @param limit how many timers the first level of each part finds, at most
 * @param keys the parallel keys to leave out
 * @param inCalls the timers that are in calls: a read returns them again
 */
public record TenantSearch(
        ScheduleStore store, Claim claim, DueQuery asked, int limit, Set<String> keys, List<StoredTimer> inCalls) {
    /** Bounds memory: all that a search finds, as many reads may hold. */
    private static final int MOST_READS = 3;

    /** How many rows a read takes at most to get past rows that stay due. */
    static final int MOST_ROWS = 1 << 14;

    private static final int GROWTH = 4;

    /** Returns whether there is memory for another read. */
    public boolean mayHold(List<StoredTimer> others) {
        return StoredTimers.bytes(others) <= (MOST_READS - 1) * asked.bytes();
    }

    /** Reads timers of other tenants, unless the node may have lost a shard meanwhile. */
    public DueTimers read(Instant from, Instant to, Set<String> leftOut, int limit) {
        if (!claim.isStillOurs()) {
            return new DueTimers(List.of(), false);
        }
        Set<String> tenants = new HashSet<>(leftOut);
        tenants.addAll(asked.but().tenants());
        Set<String> keyed = new HashSet<>(keys);
        keyed.addAll(asked.but().parallelKeys());
        Exclusion others = new Exclusion(keyed, asked.but().types(), tenants, Integer.MAX_VALUE);
        // Those in calls must not hide what is due at the same instant, nor those that wait for their rows.
        int again = (int) inCalls.stream()
                .filter(each -> each.wakeAt() != null
                        && !each.wakeAt().isBefore(from)
                        && !tenants.contains(each.key().tenantId()))
                .count();
        int waiting = Math.max(0, asked.held().size() - inCalls.size());
        int most = limit + ReadWindow.roundedUp(again + waiting);
        DueTimers read = read(from, to, others, most);
        while (isOfNobody(read) && most < MOST_ROWS && claim.isStillOurs()) {
            // All of these rows stay due: timers whose outcome waits, or rows without a valid key.
            most = Math.min(MOST_ROWS, most * GROWTH);
            read = read(from, to, others, most);
        }
        return read;
    }

    /** Reads the first timers of some parallel keys, unless the node may have lost a shard meanwhile. */
    public DueTimers readKeys(Set<Integer> shards, Exclusion others, int limit) {
        return claim.isStillOurs()
                ? store.due(new DueQuery(
                        asked.queue(),
                        shards,
                        asked.from(),
                        asked.now(),
                        limit + ReadWindow.roundedUp(inCalls.size()),
                        others,
                        asked.bytes(),
                        asked.held()))
                : new DueTimers(List.of(), false);
    }

    private static boolean isOfNobody(DueTimers read) {
        return read.more() && tenants(read).isEmpty();
    }

    /** Returns whether a read is full of rows that cannot be read. The next level can leave out their tenants. */
    static boolean isUnreadable(DueTimers read) {
        return read.more() && read.timers().isEmpty() && !tenants(read).isEmpty();
    }

    private DueTimers read(Instant from, Instant to, Exclusion others, int limit) {
        return store.due(
                new DueQuery(asked.queue(), asked.shards(), from, to, limit, others, asked.bytes(), asked.held()));
    }

    /** Returns the timers that are not in calls. */
    public List<StoredTimer> withoutCalls(List<StoredTimer> timers) {
        if (inCalls.isEmpty()) {
            return timers;
        }
        Set<String> ids = inCalls.stream().map(TenantSearch::id).collect(Collectors.toSet());
        return timers.stream().filter(each -> !ids.contains(id(each))).toList();
    }

    /**
     * Returns the tenants that have their whole share of a read that left some out. If their bytes have ended the read,
     * it is their share of what was read.
     */
    public static Set<String> filling(DueTimers read, int limit) {
        return withShare(read, Math.min(limit, tenants(read).size()));
    }

    /** Returns the tenants that have their whole share of a batch in the read. */
    static Set<String> withShare(DueTimers read, int limit) {
        Map<String, Integer> counts = new HashMap<>();
        tenants(read).forEach(each -> counts.merge(each, 1, Integer::sum));
        int share = Math.max(1, limit / (2 * Math.max(1, counts.size())));
        return counts.entrySet().stream()
                .filter(each -> each.getValue() >= share)
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    /** Returns the tenant of each row of a read, also of rows that cannot be read but have a key. */
    public static List<String> tenants(DueTimers read) {
        return Stream.concat(
                        read.timers().stream().map(StoredTimer::key),
                        read.undecodable().stream().map(Undecodable::key))
                .filter(Objects::nonNull)
                .map(TimerKey::tenantId)
                .toList();
    }

    /** Returns where the next read continues: at the last timer, or at {@code to} if there are no more. */
    public static Instant end(DueTimers read, Instant to) {
        List<StoredTimer> timers = read.timers();
        Instant last = timers.isEmpty() ? null : timers.get(timers.size() - 1).wakeAt();
        return !read.more() || last == null ? to : last;
    }

    /** Returns a text that tells deliveries apart. */
    public static String id(StoredTimer timer) {
        return timer.key() + "#" + timer.generation();
    }
}

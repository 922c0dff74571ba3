package dev.duetime.engine.shards;

import dev.duetime.internal.Times;
import dev.duetime.store.ShardMap;
import dev.duetime.store.ShardMap.Lease;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;

/**
 * The fair share of one node: the number of the queue's shards divided by the number of live nodes. The remainder goes
 * to the nodes that own most, one shard each. So the shares add up to all shards, and no two shares differ by more than
 * one. An undivided queue goes to the node that owns most of it. A share changes only if the live nodes or the leases
 * change. Used by one thread.
 */
final class FairShare {
    /** How the shards are divided. */
    enum Division {
        EQUAL,
        /** One node must own all shards: the one that owns most. */
        UNDIVIDED,
        /** The same, but this node leaves the queue to others. */
        LEFT_TO_OTHERS;

        static Division of(boolean undivided, boolean yields) {
            return yields ? LEFT_TO_OTHERS : undivided ? UNDIVIDED : EQUAL;
        }
    }

    private static final Comparator<Map.Entry<String, Integer>> MOST_FIRST =
            Map.Entry.<String, Integer>comparingByValue().reversed().thenComparing(Map.Entry.comparingByKey());

    /** The largest number of nodes that {@link #situation} names. */
    private static final int SHOWN = 5;

    private final ShardMap map;
    private final String node;
    private final Instant now;
    private final Division division;
    private final Set<String> nodes;
    private final Map<String, Integer> held;

    /**
     * Computes the share.
     *
     * @param silent nodes that have announced themselves and get no share
     */
    FairShare(ShardMap map, String node, Instant now, Set<String> silent, Division division) {
        this.map = map;
        this.node = node;
        this.now = now;
        this.division = division;
        this.nodes = liveNodes(silent);
        this.held = map.leases().stream()
                .filter(lease -> lease.owner() != null && lease.isHeld(now))
                .collect(Collectors.toMap(lease -> String.valueOf(lease.owner()), lease -> 1, Integer::sum));
    }

    /** Returns the nodes that own a shard, those that announced themselves and are not silent, and this one. */
    private Set<String> liveNodes(Set<String> silent) {
        Set<String> live = new HashSet<>(Set.of(node));
        map.leases().stream()
                .filter(lease -> lease.isHeld(now))
                .map(Lease::owner)
                .filter(Objects::nonNull)
                .forEach(live::add);
        LiveNodes.announced(map, now).stream()
                .filter(each -> !silent.contains(each))
                .forEach(live::add);
        return live;
    }

    /** Returns the shards whose lease names this node, even if the lease has ended. */
    Set<Integer> mine() {
        return mine(map, node);
    }

    static Set<Integer> mine(ShardMap map, String node) {
        return map.leases().stream()
                .filter(lease -> node.equals(lease.owner()))
                .map(Lease::shard)
                .collect(Collectors.toSet());
    }

    /** Returns the shards whose lease names a node and lasts beyond a time. */
    static Set<Integer> lasting(ShardMap map, String node, Instant beyond) {
        return map.leases().stream()
                .filter(lease -> node.equals(lease.owner()))
                .filter(lease -> lease.until() != null && lease.until().isAfter(beyond))
                .map(Lease::shard)
                .collect(Collectors.toSet());
    }

    /**
     * Returns the leases that the store has for this node and that the node does not know of. Each is returned as ended
     * now.
     */
    List<Lease> unknown(Set<Integer> known) {
        List<Lease> unknown = map.leases().stream()
                .filter(lease -> node.equals(lease.owner()) && !known.contains(lease.shard()))
                .toList();
        return overBy(unknown, now);
    }

    static List<Lease> overBy(List<Lease> leases, Instant now) {
        return leases.stream()
                .map(lease -> lease.isHeld(now) ? new Lease(lease.shard(), lease.owner(), lease.epoch(), now) : lease)
                .toList();
    }

    /** Returns whether there are other nodes, whose shards may become free. */
    boolean isShared() {
        return nodes.size() > 1;
    }

    /** Returns whether another node holds a shard. */
    static boolean othersHold(ShardMap map, String node, Instant now) {
        return map.leases().stream()
                .anyMatch(lease -> lease.owner() != null && !node.equals(lease.owner()) && lease.isHeld(now));
    }

    /** Returns whether another node has a lease that has ended or is void. */
    static boolean showsLapsed(ShardMap map, String node, Instant now) {
        return map.leases().stream()
                .anyMatch(lease -> lease.owner() != null && !node.equals(lease.owner()) && !lease.isHeld(now));
    }

    /** Returns the live nodes, and how many shards each of them holds that holds any. */
    Holders holders() {
        return new Holders(Set.copyOf(nodes), Map.copyOf(held));
    }

    record Holders(Set<String> nodes, Map<String, Integer> held) {}

    /** Returns which nodes hold the shards, as text. */
    String situation() {
        String holders = held.entrySet().stream()
                .filter(each -> !each.getKey().equals(node))
                .sorted(MOST_FIRST)
                .limit(SHOWN)
                .map(each -> "node " + each.getKey() + " holds " + each.getValue())
                .collect(Collectors.joining(", "));
        String others = holders.isEmpty() ? "" : ": " + holders;
        return division == Division.EQUAL
                ? "%d nodes share its %d shards%s"
                        .formatted(nodes.size(), map.leases().size(), others)
                : "this node holds %d of its %d shards and needs all of them at once, to run one todo at a time%s"
                        .formatted(held(node), map.leases().size(), others);
    }

    private int share(String of) {
        int all = map.leases().size();
        long before = nodes.stream()
                .filter(each -> MOST_FIRST.compare(Map.entry(each, held(each)), Map.entry(of, held(of))) < 0)
                .count();
        if (division == Division.LEFT_TO_OTHERS && of.equals(node)) {
            return 0;
        }
        if (division != Division.EQUAL) {
            return before == 0 ? all : 0;
        }
        return all / nodes.size() + (before < all % nodes.size() ? 1 : 0);
    }

    private int held(String of) {
        return held.getOrDefault(of, 0);
    }

    /** Returns the shards that the node must give back. */
    List<Integer> surplus() {
        return mine().stream().sorted().skip(share(node)).toList();
    }

    /**
     * Returns the shards that the node may take. The list begins at a random shard, so that two nodes rarely want the
     * same one.
     *
     * @param lapsed whether to include shards whose lease has ended
     */
    List<Lease> wanted(RandomGenerator random, boolean lapsed) {
        Set<Integer> mine = mine();
        List<Lease> free = new ArrayList<>(map.leases().stream()
                .filter(lease -> !lease.isHeld(now) && !mine.contains(lease.shard()))
                .filter(lease -> lapsed || lease.owner() == null)
                .toList());
        if (!free.isEmpty()) {
            Collections.rotate(free, random.nextInt(free.size()));
        }
        return free.subList(0, Math.min(free.size(), Math.max(0, share(node) - mine.size())));
    }

    /** Returns whether a node with these shards must wait: it has too few, and another node has too many. */
    boolean isWaiting(Collection<Integer> owned) {
        return owned.size() < share(node)
                && nodes.stream().anyMatch(each -> !each.equals(node) && held(each) > share(each));
    }

    /** Returns when the first lease of another node ends unless it is renewed, but no later than the given instant. */
    Instant whenOthersLapse(Instant most) {
        return map.leases().stream()
                .filter(lease -> lease.isHeld(now) && !node.equals(lease.owner()))
                .map(Lease::until)
                .filter(Objects::nonNull)
                .reduce(most, Times::earlier);
    }
}

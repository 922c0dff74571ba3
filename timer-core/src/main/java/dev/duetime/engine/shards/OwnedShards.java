package dev.duetime.engine.shards;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The shards that a node owns, each with the number of its acquisition. A shard that was lost and acquired again has
 * another number: what was read before the loss may be old. Immutable.
 *
 * @param acquisitions the number of the acquisition, by shard
 * @param sorted the shards in order, to choose one by a number
 */
record OwnedShards(Map<Integer, Long> acquisitions, List<Integer> sorted) {
    static final OwnedShards NONE = new OwnedShards(Map.of());

    OwnedShards(Map<Integer, Long> acquisitions) {
        this(Map.copyOf(acquisitions), acquisitions.keySet().stream().sorted().toList());
    }

    Set<Integer> shards() {
        return acquisitions.keySet();
    }

    /** Returns these shards and those of an acquisition. */
    OwnedShards with(Collection<Integer> acquired, long acquisition) {
        Map<Integer, Long> all = new HashMap<>(acquisitions);
        acquired.forEach(shard -> all.put(shard, acquisition));
        return new OwnedShards(all);
    }

    /** Returns these shards and the others. */
    OwnedShards with(OwnedShards others) {
        Map<Integer, Long> all = new HashMap<>(others.acquisitions);
        all.putAll(acquisitions);
        return new OwnedShards(all);
    }

    /** Returns those that are among the given shards. */
    OwnedShards in(Collection<Integer> shards) {
        return matching(entry -> shards.contains(entry.getKey()));
    }

    /** Returns those that the node still owns now, and did not lose in between. */
    OwnedShards stillIn(OwnedShards now) {
        return equals(now) ? this : matching(now.acquisitions.entrySet()::contains);
    }

    private OwnedShards matching(Predicate<Map.Entry<Integer, Long>> which) {
        Map<Integer, Long> some = new HashMap<>(acquisitions);
        some.entrySet().removeIf(which.negate());
        return new OwnedShards(some);
    }
}

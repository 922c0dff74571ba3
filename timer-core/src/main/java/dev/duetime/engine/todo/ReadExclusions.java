package dev.duetime.engine.todo;

import dev.duetime.engine.lanes.BacklogLooks;
import dev.duetime.store.DueQuery.Exclusion;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What reads leave out, since the buffer has no room for it. Guarded by the lock of its {@link TodoBuffer}. */
final class ReadExclusions {
    private final TodoEntries entries;
    private final TodoLanes lanes;
    private final LeftWithoutPermit left;
    private final Rereads rereads;

    ReadExclusions(TodoEntries entries, TodoLanes lanes, LeftWithoutPermit left, Rereads rereads) {
        this.entries = entries;
        this.lanes = lanes;
        this.left = left;
        this.rereads = rereads;
    }

    /** Returns the exclusions of a read: the parallel keys whose lanes are full, and what was left. */
    Exclusion fullLanes(Set<Integer> shards) {
        return left.beginRead(lanes.fullKeys(), shards);
    }

    /**
     * Returns the exclusions of a read behind a backlog: full lanes, and todos of busy tenants that are no more urgent
     * than the waiting ones.
     *
     * @param looks which other tenants to leave out in the same way
     */
    Exclusion backlog(BacklogLooks looks) {
        Set<String> tenants = entries.busyTenants();
        tenants.addAll(looks.leftOut());
        tenants.addAll(left.tenants());
        Set<String> keys = left.beginBehind();
        keys.addAll(lanes.fullKeys());
        int upTo = Math.max(looks.inVain(), entries.highestPriorityOr(looks.highestPriority()));
        return new Exclusion(keys, left.types(), tenants, upTo);
    }

    /** Returns the exclusions of a read that goes on where others have come furthest: full lanes, and what was left. */
    Exclusion further() {
        Set<String> keys = left.beginBehind();
        keys.addAll(lanes.fullKeys());
        return new Exclusion(keys, left.types(), left.tenants(), Integer.MAX_VALUE);
    }

    /**
     * Returns the exclusions of a look behind the backlog of one of the types of which todos were left; null if there
     * is none.
     */
    @Nullable
    Exclusion backlogOfType() {
        return left.types().isEmpty() ? null : left.beginLook(lanes.fullKeys());
    }

    /**
     * Begins a read for the tenant whose turn it is.
     *
     * @return what it leaves out; null if it need not be looked for
     */
    @Nullable
    Exclusion takeTurn() {
        Exclusion turn = rereads.takeTurn();
        if (turn == null) {
            return null;
        }
        Set<String> keys = left.beginBehind();
        keys.addAll(lanes.fullKeys());
        return new Exclusion(keys, turn.tenants(), turn.upTo());
    }
}

package dev.duetime.testkit.fault;

import dev.duetime.Beta;
import dev.duetime.testkit.KitNode;

/** The calls to a store at which a {@link KitNode} can crash or fail. */
@Beta
public enum StoreCall {
    /** Reads the store's time. */
    NOW,
    /** Opens a queue, when a node is built. */
    OPEN,
    /** Stores timers. */
    SCHEDULE,
    /** Cancels a timer. */
    CANCEL,
    /** Looks up a timer. */
    FIND,
    /** Looks up timers. */
    QUERY,
    /** Reads what is due. */
    DUE,
    /** Asks when the next timer is due. */
    NEXT_DUE,
    /** Counts what is scheduled, for samples. */
    PENDING,
    /** Writes down outcomes. */
    SETTLE,
    /** Marks a timer as started. */
    START,
    /** Begins a transaction of the store's own. */
    BEGIN,
    /** Commits a transaction of the store's own. */
    COMMIT,
    /** Locks correlation keys. */
    LOCK,
    /** Looks for a timer to merge with. */
    WAITING,
    /** Ends timers that have expired without reading them. */
    EXPIRE,
    /** Deletes ended timers. */
    PURGE,
    /** Looks for queues with ended timers to delete. */
    PURGEABLE,
    /** Reads who owns which shard. */
    VIEW,
    /** Reads who owns which shard, and when the next timers are due, for all idle queues. */
    SNAPSHOT,
    /** Looks for shards without an owner. */
    FREE,
    /** Takes shards. */
    ACQUIRE,
    /** Renews leases. */
    RENEW,
    /** Gives shards back. */
    RELEASE,
    /** Leaves hints for other nodes. */
    SEND_HINTS,
    /** Reads the hints of other nodes. */
    READ_HINTS,
    /** Reads the shares of nodes in limits. */
    READ_PERMITS,
    /** Changes the shares of nodes in limits. */
    CHANGE_PERMITS,
    /** Counts timers. */
    COUNT,
    /** Looks up timers, without their content. */
    VERSIONS,
    /** Schedules dead timers again. */
    REVIVE,
    /** Makes scheduled timers due now. */
    DELIVER_NOW,
    /** Moves scheduled timers. */
    RESCHEDULE,
    /** Cancels many timers. */
    CANCEL_MANY,
    /** Deletes many ended timers. */
    DELETE,
    /** Writes what a node delivered. */
    PUT_SAMPLES,
    /** Writes the history of recurring timers. */
    PUT_OCCURRENCES,
    /** Pauses a queue. */
    PAUSE,
    /** Resumes a queue. */
    RESUME,
    /** Stores or moves items of to-do lists. */
    PUT_TODOS,
    /** Removes items of to-do lists, whatever their times. */
    REMOVE_TODOS,
    /** Removes items of to-do lists that were not moved. */
    REMOVE_UNMOVED_TODOS,
    /** Looks up an item of a to-do list. */
    FIND_TODO,
    /** Reads what is overdue on a to-do list. */
    OVERDUE_TODOS
}

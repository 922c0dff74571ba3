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
    /** Reads who owns which shard. */
    VIEW,
    /** Looks for shards without an owner. */
    FREE,
    /** Takes shards. */
    ACQUIRE,
    /** Renews leases. */
    RENEW,
    /** Gives shards back. */
    RELEASE,
    /** Counts timers. */
    COUNT,
    /** Looks up timers, without their content. */
    VERSIONS,
    /** Schedules dead timers again. */
    REVIVE,
    /** Cancels many timers. */
    CANCEL_MANY,
    /** Deletes many ended timers. */
    DELETE,
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

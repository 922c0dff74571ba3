package dev.duetime.engine.loop;

import dev.duetime.StoreException;
import dev.duetime.engine.shards.Claim;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.ScheduleStore;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The plan of a loop's next read: whether there is room for it, where it begins, and how many rows and bytes it may
 * take. Used by the loop's thread.
 */
public interface ReadPlan {

    /** Returns whether there is room for more timers. If not, nothing is read now. */
    boolean hasRoom();

    /**
     * Returns whether the next read only looks for timers that other reads leave out. It changes nothing in what is
     * known of those that are due. False by default.
     */
    default boolean looksBeside() {
        return false;
    }

    /**
     * Notes that the store failed or a turn was abandoned: the next read looks for all due timers. Does nothing by
     * default.
     */
    default void forget() {}

    /** Notes that a timer is due at that time, which may be new: the next read includes it. */
    void announce(Instant dueAt);

    /** Makes the next read include timers from that time on. They are no news: the store has them still. */
    void readFrom(Instant dueAt);

    /** Notes when the oldest timer of the store is due. If it is not left out, the next read includes it. */
    void oldestIs(Instant dueAt);

    /** Takes the request to read all due timers again, if there is one. */
    boolean takeReadAgain();

    /** Returns whether timers of earlier reads wait in memory. */
    boolean holdsTimers();

    /**
     * Returns the time before which every timer that was read is settled; {@link Instant#MIN}, the default, if that is
     * not known. Only late arrivals may be due there.
     */
    default Instant settledBefore(Claim claim) {
        return Instant.MIN;
    }

    /** Returns where the next read begins, unless its shards are others; {@link Instant#MIN} by default. */
    default Instant readsFrom() {
        return Instant.MIN;
    }

    /** Returns whether the last read began with the oldest timer and left nothing out. False by default. */
    default boolean wasOfAll() {
        return false;
    }

    /**
     * Returns from when on the last read has shown all due timers, as far as it came; {@link Instant#MIN} for all,
     * {@link Instant#MAX} if it may have left out any.
     */
    Instant shownFrom();

    /** Returns the same for the answer to a query; {@link Instant#MAX} if there is none. */
    static Instant shownFrom(@Nullable DueQuery query) {
        return query != null && query.but().isNothing() && query.held().isEmpty() ? query.from() : Instant.MAX;
    }

    /** Returns whether timers stay due because their outcomes cannot be written now. False by default. */
    default boolean hasUnwritten() {
        return false;
    }

    /**
     * Returns whether the last read was one for some timers only, besides the reads of all. If it fails, its statement
     * may have taken longer than the database allows, and the other reads go on. False by default.
     */
    default boolean isBeside() {
        return false;
    }

    /**
     * Reads due timers. If that fails, the read may have been too large, so the next one is smaller. Reads nothing if
     * the claim has ended meanwhile, because the preparation may wait for outcomes to be written.
     *
     * @return null if a read for some timers only has failed, so that the store has not answered
     */
    default @Nullable DueTimers read(ScheduleStore store, Claim claim, Instant now) {
        try {
            DueQuery query = prepare(claim, now);
            if (!claim.isStillOurs()) {
                return new DueTimers(List.of(), List.of(), true);
            }
            return readMore(store, claim, query, store.due(query));
        } catch (StoreException e) {
            failed();
            if (!isBeside()) {
                throw e;
            }
            return null;
        } catch (RuntimeException | Error e) {
            failed();
            throw e;
        }
    }

    /**
     * Makes further reads that depend on the one just made, and returns what that one has found. By default it makes
     * none.
     */
    default DueTimers readMore(ScheduleStore store, Claim claim, DueQuery query, DueTimers read) {
        return read;
    }

    /** Prepares the next read. */
    DueQuery prepare(Claim claim, Instant now);

    /** Notes that the read failed: the next one is smaller. */
    void failed();
}

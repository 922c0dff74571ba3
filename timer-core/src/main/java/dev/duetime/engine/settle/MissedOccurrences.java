package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.settle.RecentOccurrences.Count;
import dev.duetime.internal.Errors;
import dev.duetime.internal.Printable;
import dev.duetime.internal.Times;
import dev.duetime.internal.UserCode;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.recurrence.Recurrence;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decision about missed occurrences, made before a recurring timer is delivered. If an occurrence is skipped, the
 * timer is moved on first, and a later turn delivers it. So a repeated delivery always has the same occurrence and the
 * same content.
 *
 * <p>Counting what a timer has missed may take long. So it has a bounded part of each turn. A timer whose count was
 * interrupted waits for a later turn, and so does what comes after it in the order of its parallel key. Used by one
 * thread.
 */
public final class MissedOccurrences {
    private static final Logger LOG = LoggerFactory.getLogger(MissedOccurrences.class);

    /** An occurrence that is later than this was missed, if the period is not shorter. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private static final Duration UNTIL_COUNTED_AGAIN = Duration.ofMinutes(1);
    private static final Duration UNTIL_READ_AGAIN = Duration.ofMinutes(1);
    /** Bounds memory. Beyond it, missed occurrences are counted again, and unreadable ones logged again. */
    private static final int MOST_REMEMBERED = 10_000;

    private final NextOccurrence occurrences;
    private final Settlements settlements;
    private final CountingTime time;
    private final SkipTargets targets;
    private final RecentOccurrences recent = new RecentOccurrences();
    private final Map<TimerKey, Instant> countedAt = new HashMap<>();
    private final Set<TimerKey> loggedUnreadable = new HashSet<>();

    /**
     * For each parallel key: the due time from which its timers have to wait for an earlier one, in the current batch.
     */
    private final Map<String, Instant> horizons = new HashMap<>();

    /** The timers of the current batch whose count was interrupted, with their generations; and their parallel keys. */
    private Map<TimerKey, Long> undecided = new HashMap<>();

    private final Set<String> undecidedKeys = new HashSet<>();

    /** The timers whose count was interrupted in the batch before. */
    private Map<TimerKey, Long> undecidedBefore = new HashMap<>();

    /**
     * Creates the decision.
     *
     * @param time how long one batch may count missed occurrences
     * @param targets the occurrences to which this node has skipped
     */
    public MissedOccurrences(
            NextOccurrence occurrences, Settlements settlements, CountingTime time, SkipTargets targets) {
        this.occurrences = occurrences;
        this.settlements = settlements;
        this.time = time;
        this.targets = targets;
    }

    /** Begins a batch. */
    public void begin() {
        horizons.clear();
        undecidedBefore = undecided;
        undecided = new HashMap<>();
        undecidedKeys.clear();
        time.begin();
    }

    /**
     * Returns the settlement that skips the current occurrence; null if the occurrence is delivered, or if the timer
     * {@linkplain #isUndecided must wait} for the decision.
     */
    @Nullable
    public Settlement instead(StoredTimer timer, Instant now) {
        if (timer.content().recurrence() == null) {
            return null;
        }
        try {
            return caughtUp(timer, now);
        } catch (Exception | Error e) {
            UserCode.rethrowFatal(e);
            // Any failure counts: a library reads the text of a recurrence, and it may be absent or wrong.
            return leftToOthers(timer, now, e);
        }
    }

    private @Nullable Settlement caughtUp(StoredTimer timer, Instant now) {
        Long generation = undecidedBefore.get(timer.key());
        if (generation != null
                && generation == timer.generation()
                && !time.isLeft(timer.key().tenantId())) {
            // Nothing is computed for it, because this may be one of thousands.
            leaveUndecided(timer);
            return null;
        }
        Recurrence recurrence = occurrences.of(timer);
        Optional<Instant> next = occurrences.next(timer);
        Skip skip = skip(timer, recurrence, next, now);
        if (skip == null) {
            next.ifPresent(following -> waitsFrom(timer, following));
            return null;
        }
        waitsFrom(timer, Instant.MIN);
        Settlement skipped = settlements.skipped(timer, skip.to, now);
        if (recurrence.catchUp() == CatchUp.LATEST && skipped instanceof Settlement.Moved moved) {
            targets.add(moved, now);
        }
        return skipped;
    }

    private @Nullable Skip skip(StoredTimer timer, Recurrence recurrence, Optional<Instant> next, Instant now) {
        boolean behind = next.isPresent() && !next.get().isAfter(now);
        if (recurrence.catchUp() == CatchUp.ALL) {
            return behind ? beyondMost(timer, recurrence, now) : null;
        }
        if (recurrence.catchUp() == CatchUp.LATEST && targets.isUntried(timer, now)) {
            return null;
        }
        Instant last = behind ? recurrence.latest(now).orElse(timer.dueAt()) : timer.dueAt();
        boolean untried = behind || timer.attempt() == 0;
        if (recurrence.catchUp() == CatchUp.NONE && untried && isMissed(last, recurrence.next(last), now)) {
            return new Skip(recurrence.next(now).orElse(null));
        }
        return last.isAfter(timer.dueAt()) ? new Skip(last) : null;
    }

    private static boolean isMissed(Instant due, Optional<Instant> next, Instant now) {
        Instant graced = due.plus(GRACE);
        return now.isAfter(next.isPresent() ? Times.earlier(next.get(), graced) : graced);
    }

    /** Decides once a minute for each timer. One turn delivers far fewer occurrences than that. */
    private @Nullable Skip beyondMost(StoredTimer timer, Recurrence recurrence, Instant now) {
        Instant counted = countedAt.get(timer.key());
        if (counted != null && now.isBefore(counted.plus(UNTIL_COUNTED_AGAIN))) {
            return null;
        }
        Count count = count(timer, recurrence, now);
        if (count == null) {
            leaveUndecided(timer);
            return null;
        }
        if (countedAt.size() > MOST_REMEMBERED) {
            countedAt.clear();
        }
        countedAt.put(timer.key(), now);
        Instant oldest = count.skippedTo(timer.dueAt());
        if (oldest == null) {
            return null;
        }
        LOG.warn(
                "timer {} of queue {} has missed more than {} occurrences since {}; the next one is that of {}",
                timer.key(),
                timer.content().queue(),
                RecentOccurrences.MOST,
                timer.dueAt(),
                oldest);
        return new Skip(oldest);
    }

    private @Nullable Count count(StoredTimer timer, Recurrence recurrence, Instant now) {
        String text = Objects.requireNonNull(timer.content().recurrence(), "recurrence");
        return time.spend(
                timer.key().tenantId(), mayGoOn -> recent.count(text, recurrence, timer.dueAt(), now, mayGoOn));
    }

    private void leaveUndecided(StoredTimer timer) {
        time.interrupted(timer.key().tenantId());
        undecided.put(timer.key(), timer.generation());
        String key = timer.content().parallelKey();
        if (key != null) {
            undecidedKeys.add(key);
        }
    }

    /** Returns whether the timer is neither delivered nor skipped in this batch, because its count was interrupted. */
    public boolean isUndecided(StoredTimer timer) {
        return undecided.containsKey(timer.key());
    }

    /** Returns whether the count of any timer of this batch was interrupted. */
    public boolean leavesUndecided() {
        return !undecided.isEmpty();
    }

    /** A node of another version, or with another class path, may be able to read the recurrence. */
    private Settlement leftToOthers(StoredTimer timer, Instant now, Throwable reason) {
        if (loggedUnreadable.size() > MOST_REMEMBERED) {
            loggedUnreadable.clear();
        }
        if (loggedUnreadable.add(timer.key())) {
            LOG.error(
                    "timer {} of queue {} is left to other nodes and read again once a minute: {}",
                    timer.key(),
                    timer.content().queue(),
                    Printable.withoutSecrets(Errors.message(reason)));
        }
        return new Settlement.Retried(
                timer.key(), timer.generation(), now.plus(UNTIL_READ_AGAIN), timer.attempt(), timer.failure());
    }

    private void waitsFrom(StoredTimer timer, Instant from) {
        String key = timer.content().parallelKey();
        if (key != null) {
            horizons.merge(key, from, Times::earlier);
        }
    }

    /**
     * Returns whether the timer is undecided, or its delivery would overtake an occurrence of its parallel key: one
     * that is undecided, or the next occurrence of another timer, which is not in this batch.
     */
    public boolean mustWait(StoredTimer timer) {
        String key = timer.content().parallelKey();
        if (isUndecided(timer) || (key != null && undecidedKeys.contains(key))) {
            return true;
        }
        return timer.content().recurrence() != null
                && key != null
                && !timer.dueAt().isBefore(horizons.getOrDefault(key, Instant.MAX));
    }

    /** The occurrence to which missed ones are skipped; null if none is skipped. */
    private record Skip(@Nullable Instant to) {}
}

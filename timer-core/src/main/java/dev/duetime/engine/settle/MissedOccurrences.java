package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
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
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The decision about missed occurrences, made before a recurring timer is delivered. If an occurrence is skipped, the
 * timer is moved on first, and a later turn delivers it. So a repeated delivery always has the same occurrence and the
 * same content. Used by one thread.
 */
public final class MissedOccurrences {
    private static final Logger LOG = LoggerFactory.getLogger(MissedOccurrences.class);

    /** The number of missed occurrences that {@link CatchUp#ALL} delivers: the most recent ones. */
    private static final int MOST_MISSED = 1_000;

    /** An occurrence that is later than this was missed, if the period is not shorter. */
    private static final Duration GRACE = Duration.ofMinutes(1);

    private static final Duration UNTIL_COUNTED_AGAIN = Duration.ofMinutes(1);
    private static final Duration UNTIL_READ_AGAIN = Duration.ofMinutes(1);
    private static final Duration TICK = Duration.ofNanos(1_000);
    /** Bounds memory. Beyond it, missed occurrences are counted again, and unreadable ones logged again. */
    private static final int MOST_REMEMBERED = 10_000;

    private final NextOccurrence occurrences;
    private final Settlements settlements;
    private final Map<TimerKey, Instant> countedAt = new HashMap<>();
    private final Set<TimerKey> loggedUnreadable = new HashSet<>();

    /**
     * For each parallel key: the due time from which its timers have to wait for an earlier one, in the current batch.
     */
    private final Map<String, Instant> horizons = new HashMap<>();

    public MissedOccurrences(NextOccurrence occurrences, Settlements settlements) {
        this.occurrences = occurrences;
        this.settlements = settlements;
    }

    /** Begins a batch. */
    public void begin() {
        horizons.clear();
    }

    /** Returns the settlement that skips the current occurrence; null if the occurrence is delivered. */
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
        Recurrence recurrence = occurrences.of(timer);
        Optional<Instant> next = occurrences.next(timer);
        Skip skip = skip(timer, recurrence, next, now);
        if (skip == null) {
            next.ifPresent(following -> waitsFrom(timer, following));
            return null;
        }
        waitsFrom(timer, Instant.MIN);
        return settlements.skipped(timer, skip.to, now);
    }

    private @Nullable Skip skip(StoredTimer timer, Recurrence recurrence, Optional<Instant> next, Instant now) {
        boolean behind = next.isPresent() && !next.get().isAfter(now);
        if (recurrence.catchUp() == CatchUp.ALL) {
            return behind ? beyondMost(timer, recurrence, now) : null;
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

    /** Counts back from now, once a minute for each timer. One turn delivers far fewer occurrences than that. */
    private @Nullable Skip beyondMost(StoredTimer timer, Recurrence recurrence, Instant now) {
        Instant counted = countedAt.get(timer.key());
        if (counted != null && now.isBefore(counted.plus(UNTIL_COUNTED_AGAIN))) {
            return null;
        }
        if (countedAt.size() > MOST_REMEMBERED) {
            countedAt.clear();
        }
        countedAt.put(timer.key(), now);
        Instant oldest = now.plus(TICK);
        for (int i = 0; i < MOST_MISSED; i++) {
            Optional<Instant> before = recurrence.latest(oldest.minus(TICK));
            if (before.isEmpty() || !before.get().isAfter(timer.dueAt())) {
                return null;
            }
            oldest = before.get();
        }
        LOG.warn(
                "timer {} of queue {} has missed more than {} occurrences since {}; the next one is that of {}",
                timer.key(),
                timer.content().queue(),
                MOST_MISSED,
                timer.dueAt(),
                oldest);
        return new Skip(oldest);
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
                    Printable.withoutSecrets(reason.getMessage()));
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
     * Returns whether a delivery of this timer would overtake an earlier occurrence of its parallel key that is not in
     * this batch: the next occurrence of another timer.
     */
    public boolean mustWait(StoredTimer timer) {
        String key = timer.content().parallelKey();
        return timer.content().recurrence() != null
                && key != null
                && !timer.dueAt().isBefore(horizons.getOrDefault(key, Instant.MAX));
    }

    /** The occurrence to which missed ones are skipped; null if none is skipped. */
    private record Skip(@Nullable Instant to) {}
}

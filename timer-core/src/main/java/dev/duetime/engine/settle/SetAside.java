package dev.duetime.engine.settle;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.settle.OutcomeWriter.Left;
import dev.duetime.internal.Printable;
import dev.duetime.store.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outcomes that could not be written, kept until they can be. Meanwhile their timers are not delivered again, and
 * do not delay other timers. Used by one thread.
 */
public final class SetAside {
    private static final Logger LOG = LoggerFactory.getLogger(SetAside.class);

    /**
     * Beyond this number nothing more is read, because another transaction holds all rows, or the database refuses all
     * outcomes.
     */
    public static final int MOST = 10_000;

    /** For how long a shard is kept for an outcome from it. Most transactions have ended by then. */
    private static final long KEEPS_SHARD_NANOS = Duration.ofSeconds(5).toNanos();

    /** How many outcomes are retried at once, until all of them can be written. */
    private static final int FEW = 20;

    /** How long the others wait at least after a retry that met a row which is still held, and at most. */
    private static final long SHORTEST_REST_NANOS = Duration.ofMillis(100).toNanos();

    private static final long LONGEST_REST_NANOS = Duration.ofSeconds(30).toNanos();

    /** They wait so many times as long as the retry took, since the other timers of the queue wait meanwhile. */
    private static final int REST_FACTOR = 20;

    private static final long FIRST_NANOS = Duration.ofSeconds(1).toNanos();
    /** The longest wait of a refused outcome before it is retried. */
    private static final long LAST_NANOS = Duration.ofMinutes(1).toNanos();

    private final String queue;
    private final InFlight inFlight;

    private final Map<TimerKey, Waiting> waiting = new HashMap<>();

    /** How often an attempt failed. */
    private long failures;

    /** How many outcomes are retried next: twice as many each time that all of them were written. */
    private int next = FEW;

    /** Whether the others wait, and until when. */
    private boolean rests;

    private long restsUntilNanos;

    public SetAside(String queue, InFlight inFlight) {
        this.queue = queue;
        this.inFlight = inFlight;
    }

    private static final class Waiting {
        final Settlement outcome;
        final OptionalInt shard;
        final boolean expires;
        final long sinceNanos;

        /** The order of the last attempts: each outcome is the first one at some time. */
        long place;

        long triedAgainAtNanos;
        long pauseNanos = FIRST_NANOS;

        Waiting(Settlement outcome, InFlight inFlight, long sinceNanos) {
            this.outcome = outcome;
            shard = inFlight.shardOf(outcome);
            expires = inFlight.expires(outcome);
            this.sinceNanos = sinceNanos;
        }

        boolean keepsShard(long nanos) {
            return nanos - sinceNanos < KEEPS_SHARD_NANOS;
        }
    }

    /** Keeps outcomes that could not be written, to retry them later. */
    public void add(List<Left> left, long nanos) {
        int locked = 0;
        for (Left each : left) {
            // It is never removed and added again: if memory ended in between, the outcome would be lost.
            Waiting entry = waiting.get(each.outcome().key());
            boolean first = entry == null
                    || entry.outcome.generation() != each.outcome().generation();
            if (entry == null || first) {
                entry = new Waiting(each.outcome(), inFlight, nanos);
                waiting.put(each.outcome().key(), entry);
            }
            entry.place = ++failures;
            entry.triedAgainAtNanos = nanos + entry.pauseNanos;
            if (!each.isLocked()) {
                entry.pauseNanos = Math.min(LAST_NANOS, 2 * entry.pauseNanos);
                if (first) {
                    LOG.warn(
                            "the database refuses the outcome of timer {} of queue {}; retrying later: {}",
                            each.outcome().key(),
                            queue,
                            Printable.line(each.refusal()));
                }
            } else if (first) {
                locked++;
            }
        }
        if (locked > 0) {
            LOG.info(
                    "another transaction holds the rows of {} timers of queue {}, such as {};"
                            + " their outcomes are written when it ends",
                    locked,
                    queue,
                    left.stream()
                            .filter(Left::isLocked)
                            .findFirst()
                            .orElseThrow()
                            .outcome()
                            .key());
        }
    }

    /**
     * Returns the outcomes to be retried now: only some if there are many, since each costs a statement or two, and the
     * other timers of the queue wait.
     */
    public List<Settlement> due(long nanos) {
        if (waiting.isEmpty() || (rests && nanos - restsUntilNanos < 0)) {
            return List.of();
        }
        List<Settlement> due = inOrder(each -> nanos - each.triedAgainAtNanos >= 0);
        return due.size() <= next ? due : due.subList(0, next);
    }

    /**
     * Notes the end of a retry.
     *
     * @param left how many of the outcomes could not be written
     * @param beganNanos when the retry began
     */
    public void retried(int left, long beganNanos, long nanos) {
        next = left == 0 ? Math.min(2 * next, MOST) : FEW;
        rests = left > 0;
        long rest = Math.max(SHORTEST_REST_NANOS, REST_FACTOR * (nanos - beganNanos));
        restsUntilNanos = nanos + Math.min(LONGEST_REST_NANOS, rest);
    }

    /** Returns all outcomes. */
    public List<Settlement> all() {
        return inOrder(each -> true);
    }

    private List<Settlement> inOrder(Predicate<Waiting> which) {
        return waiting.values().stream()
                .filter(which)
                .sorted(Comparator.comparingLong(each -> each.place))
                .map(each -> each.outcome)
                .toList();
    }

    /** Forgets an outcome that has been written or overtaken. */
    public void remove(Settlement outcome) {
        Waiting known = waiting.get(outcome.key());
        if (known != null && known.outcome.generation() == outcome.generation()) {
            waiting.remove(outcome.key());
        }
    }

    /** Names all timers whose outcome is set aside. */
    void keep(InFlight.Keep keep) {
        waiting.forEach((key, each) -> keep.keep(key, each.outcome.generation()));
    }

    /** Returns the timers whose outcome is not set aside. A new generation of a timer counts as another timer. */
    public List<StoredTimer> others(List<StoredTimer> timers) {
        if (waiting.isEmpty()) {
            return timers;
        }
        List<StoredTimer> others = new ArrayList<>(timers.size());
        for (StoredTimer timer : timers) {
            Waiting known = waiting.get(timer.key());
            if (known == null || known.outcome.generation() != timer.generation()) {
                others.add(timer);
            }
        }
        return others;
    }

    /** Returns the generations whose outcome is set aside, by key. */
    public Map<TimerKey, Long> generations() {
        if (waiting.isEmpty()) {
            return Map.of();
        }
        Map<TimerKey, Long> generations = new HashMap<>();
        waiting.forEach((key, each) -> generations.put(key, each.outcome.generation()));
        return generations;
    }

    /** Returns the shards of all timers with a deadline, as far as they are known. */
    public Set<Integer> shardsThatMayExpire() {
        Set<Integer> shards = new HashSet<>();
        waiting.values().stream().filter(each -> each.expires).forEach(each -> each.shard.ifPresent(shards::add));
        return shards;
    }

    /** Returns the shards that are not given away, since an outcome from them has not waited for long. */
    public Set<Integer> keptShards(long nanos) {
        Set<Integer> shards = new HashSet<>();
        for (Waiting each : waiting.values()) {
            if (each.keepsShard(nanos)) {
                each.shard.ifPresent(shards::add);
            }
        }
        return shards;
    }

    /** Returns the keys of what has waited for so long that its shard may be given away. */
    public Set<TimerKey> longWaiting(long nanos) {
        Set<TimerKey> keys = new HashSet<>();
        waiting.forEach((key, each) -> {
            if (!each.keepsShard(nanos)) {
                keys.add(key);
            }
        });
        return keys;
    }

    public int size() {
        return waiting.size();
    }

    public boolean isFull() {
        return waiting.size() > MOST;
    }

    /** Returns the time until the next retry; {@link Long#MAX_VALUE} if nothing is set aside. */
    public long nanosToNextTry(long nanos) {
        long least = Long.MAX_VALUE;
        for (Waiting each : waiting.values()) {
            least = Math.min(least, Math.max(0, each.triedAgainAtNanos - nanos));
        }
        return least == Long.MAX_VALUE || !rests ? least : Math.max(least, restsUntilNanos - nanos);
    }
}

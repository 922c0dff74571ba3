package dev.duetime.testkit.memory;

import dev.duetime.StoredTimer;
import dev.duetime.TimerContent;
import dev.duetime.internal.timer.StoredTimers;
import dev.duetime.store.DueQuery;
import dev.duetime.store.DueTimers;
import dev.duetime.store.DueTimers.Undecodable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** A read of due timers: it merges the shards, oldest first, within the bounds of the query. Used once. */
final class InMemoryDueRead {
    private final DueQuery query;
    private final IntFunction<Collection<StoredTimer>> scheduled;
    private final Map<TimerContent, String> unreadable;
    private final PriorityQueue<Cursor> shards = new PriorityQueue<>();

    /** The place up to which one shard has been read. */
    private record Cursor(StoredTimer head, Iterator<StoredTimer> rest) implements Comparable<Cursor> {

        @Override
        public int compareTo(Cursor other) {
            return InMemoryIndexes.OLDEST_FIRST.compare(head, other.head);
        }
    }

    /**
     * Creates it.
     *
     * @param scheduled returns the scheduled timers of a shard, oldest first
     * @param unreadable why contents cannot be read
     */
    InMemoryDueRead(
            DueQuery query, IntFunction<Collection<StoredTimer>> scheduled, Map<TimerContent, String> unreadable) {
        this.query = query;
        this.scheduled = scheduled;
        this.unreadable = unreadable;
    }

    DueTimers read() {
        for (int shard : new HashSet<>(query.shards())) {
            Stream<StoredTimer> timers = scheduled.apply(shard).stream()
                    .dropWhile(timer -> InMemoryIndexes.wakeAt(timer).isBefore(query.from()))
                    .filter(timer -> !isLeftOut(timer, query.but()));
            advance(timers.iterator(), query.now());
        }
        List<StoredTimer> due = new ArrayList<>();
        long bytes = 0;
        int held = 0;
        List<Undecodable> undecodable = new ArrayList<>();
        for (Cursor oldest = shards.poll(); oldest != null; oldest = shards.poll()) {
            String reason = unreadable.get(oldest.head.content());
            boolean isHeld = query.isHeld(oldest.head.key(), oldest.head.generation());
            long larger = bytes + (isHeld ? 0 : StoredTimers.bytes(oldest.head));
            if (held + due.size() + undecodable.size() >= query.limit() || (larger > query.bytes() && !due.isEmpty())) {
                return new DueTimers(List.copyOf(due), List.copyOf(undecodable), true);
            }
            bytes = larger;
            if (isHeld) {
                held++;
            } else if (reason == null) {
                due.add(oldest.head);
            } else {
                undecodable.add(
                        new Undecodable(oldest.head.key(), oldest.head.generation(), oldest.head.attempt(), reason));
            }
            advance(oldest.rest, query.now());
        }
        return new DueTimers(List.copyOf(due), List.copyOf(undecodable), false);
    }

    private static boolean isLeftOut(StoredTimer timer, DueQuery.Exclusion but) {
        String parallelKey = timer.content().parallelKey();
        boolean isOther = parallelKey == null || !but.only().contains(parallelKey);
        return (parallelKey != null && but.parallelKeys().contains(parallelKey))
                || (!but.only().isEmpty() && isOther)
                || but.types().contains(timer.content().type())
                || (but.tenants().contains(timer.key().tenantId())
                        && timer.content().priority() <= but.upTo());
    }

    private void advance(Iterator<StoredTimer> rest, Instant now) {
        if (rest.hasNext()) {
            StoredTimer head = rest.next();
            if (!InMemoryIndexes.wakeAt(head).isAfter(now)) {
                shards.add(new Cursor(head, rest));
            }
        }
    }
}

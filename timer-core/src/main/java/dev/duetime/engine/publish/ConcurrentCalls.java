package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.loop.LoopWatch;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.internal.Times;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a publisher that run at once, each in a thread of its own, while the loop reads on. No two of them hold
 * timers of one parallel key, unless the queue allows more. Used by the loop's thread, except {@link #shards}, {@link
 * #since} and {@link #close}.
 */
final class ConcurrentCalls {
    /** Bounds the statement that leaves out timers whose parallel key is busy. */
    private static final int MOST_KEYS_LEFT_OUT = 100;

    /** Bounds memory: how many timers one read takes for all calls. */
    private static final int MOST_ROWS = 10_000;

    /** How long the loop waits for the end of the running calls before it makes a call alone. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final LoopWatch clock;
    private final String queue;
    private final int most;
    private final int mostOfKey;
    private final PublishCall call;
    private final List<CallThread> threads = new CopyOnWriteArrayList<>();
    private volatile Runnable wake = () -> {};
    private volatile Set<Integer> shards = Set.of();

    /** The parallel keys of timers that had to wait for a call. */
    private Set<String> waiting = new HashSet<>();

    private final List<StoredTimer> recurred = new ArrayList<>();
    private boolean readAgain;
    private boolean leftSome;

    ConcurrentCalls(LoopWatch clock, QueueSettings queue, PublishCall call) {
        this.clock = clock;
        this.queue = queue.name();
        most = queue.concurrency();
        mostOfKey = queue.limits().parallelKey();
        this.call = call;
    }

    /** Sets what makes the loop run a turn after a call has ended. */
    void wakes(Consumer<Instant> loop) {
        wake = () -> loop.accept(Instant.MAX);
    }

    /** Returns whether more than one call may run at once. */
    boolean isConcurrent() {
        return most > 1;
    }

    boolean isIdle() {
        return threads.stream().allMatch(CallThread::isFree);
    }

    /** Returns how many calls may begin now. */
    int free() {
        return most - (int) threads.stream().filter(each -> !each.isFree()).count();
    }

    /** Returns the parallel keys that the next read leaves out, because their timers cannot begin now. */
    Set<String> busyKeys() {
        Set<String> busy = keys();
        busy.retainAll(waiting);
        return busy;
    }

    /** Returns the parallel keys that are in as many calls as they may be. */
    private Set<String> keys() {
        Map<String, Integer> counts = calls();
        counts.values().removeIf(count -> count < mostOfKey);
        return new HashSet<>(counts.keySet());
    }

    /** Returns in how many calls each parallel key is. */
    private Map<String, Integer> calls() {
        Map<String, Integer> counts = new HashMap<>();
        for (CallThread thread : threads) {
            Set<String> keys = new HashSet<>();
            thread.batch().forEach(parcel -> addKey(keys, parcel));
            keys.forEach(key -> counts.merge(key, 1, Integer::sum));
        }
        return counts;
    }

    private static void addKey(Set<String> keys, Parcel parcel) {
        String key = parcel.timer().content().parallelKey();
        if (key != null) {
            keys.add(key);
        }
    }

    /**
     * Returns how many timers to read: a batch for each free call, or that many doubled if there is one call at most.
     */
    int rows(int batchSize, int doublings) {
        return isConcurrent()
                ? Math.max(batchSize, Math.min(batchSize * Math.max(1, free()), MOST_ROWS))
                : batchSize << doublings;
    }

    /** Returns the generations, by key, with those of the timers in calls. */
    Map<TimerKey, Long> withGenerations(Map<TimerKey, Long> others) {
        if (isIdle()) {
            return others;
        }
        Map<TimerKey, Long> all = new HashMap<>(others);
        threads.forEach(each -> each.batch()
                .forEach(parcel -> all.put(parcel.timer().key(), parcel.timer().generation())));
        return all;
    }

    /** Returns how many timers in the calls wake at that time or later: a read returns them again. */
    int countFrom(Instant from) {
        return (int) threads.stream()
                .flatMap(each -> each.batch().stream())
                .filter(each ->
                        each.timer().wakeAt() != null && !each.timer().wakeAt().isBefore(from))
                .count();
    }

    /** Removes the parcels whose parallel key is in as many calls as it may be. The next read leaves them out. */
    void withoutBusyKeys(List<Parcel> parcels) {
        Set<String> busy = keys();
        parcels.stream().filter(each -> isWaiting(each, busy)).forEach(this::waits);
        parcels.removeIf(each -> isWaiting(each, busy));
    }

    private void waits(Parcel parcel) {
        if (waiting.size() < MOST_KEYS_LEFT_OUT) {
            addKey(waiting, parcel);
        }
    }

    /**
     * Begins a call for each free thread, and divides the timers evenly among them. Timers of one parallel key stay
     * together and in order. A timer that finds no place is left for a later read.
     *
     * @param kept how many free calls are kept for the loop itself
     * @param mayBePublished called by each thread right before its call
     * @return the timers that are in calls now
     */
    List<Parcel> begin(List<Parcel> parcels, int batchSize, int kept, Supplier<Predicate<Parcel>> mayBePublished) {
        int count = Math.max(0, Math.min(free() - kept, parcels.size()));
        Batches batches = new Batches(count, parcels.size(), batchSize, mostOfKey, calls());
        Set<String> busy = keys();
        // The read has left out the timers of these keys, so that they still wait.
        waiting = busyKeys();
        for (Parcel parcel : parcels) {
            if (isWaiting(parcel, busy) || !batches.add(parcel)) {
                addKey(busy, parcel);
                waits(parcel);
            }
        }
        List<Parcel> begun = new ArrayList<>();
        Set<Integer> inCalls = new HashSet<>(shards);
        for (List<Parcel> batch : batches.filled()) {
            begun.addAll(batch);
            batch.forEach(each -> inCalls.add(each.timer().shard()));
        }
        // Before the first call begins: until it is settled, its shards are not given back.
        shards = Set.copyOf(inCalls);
        batches.filled().forEach(batch -> freeThread().begin(batch, mayBePublished));
        return begun;
    }

    private static boolean isWaiting(Parcel parcel, Set<String> busy) {
        String key = parcel.timer().content().parallelKey();
        return key != null && busy.contains(key);
    }

    private CallThread freeThread() {
        for (CallThread each : threads) {
            if (each.isFree()) {
                return each;
            }
        }
        String name = "duetime-" + queue + "-publisher-" + (threads.size() + 1);
        CallThread added = new CallThread(clock, name, call, () -> wake.run());
        threads.add(added);
        return added;
    }

    /** Returns the calls that have ended, and frees their threads. */
    List<CallThread.Ended> takeEnded() {
        List<CallThread.Ended> ended = new ArrayList<>();
        for (CallThread each : threads) {
            CallThread.Ended result = each.takeEnded();
            if (result != null) {
                ended.add(result);
                List<StoredTimer> recurring = result.batch().stream()
                        .map(Parcel::timer)
                        .filter(timer -> timer.content().recurrence() != null)
                        .toList();
                recurred.addAll(recurring);
                readAgain |= leftSome || !recurring.isEmpty();
            }
        }
        return ended;
    }

    /** Takes the recurring timers of calls that have ended: their next occurrences may be due already. */
    List<StoredTimer> takeRecurred() {
        List<StoredTimer> taken = List.copyOf(recurred);
        recurred.clear();
        return taken;
    }

    /** Notes that the outcomes of all ended calls are written or set aside. */
    void settled() {
        Set<Integer> running = new HashSet<>();
        threads.forEach(each ->
                each.batch().forEach(parcel -> running.add(parcel.timer().shard())));
        shards = Set.copyOf(running);
    }

    /** Notes whether a read left timers that are due and not in a call. */
    void left(boolean some) {
        leftSome = some || !waiting.isEmpty();
    }

    /** Makes the next turn read. */
    void readAgain() {
        readAgain = true;
    }

    /** Takes the request to read. */
    boolean takeReadAgain() {
        boolean again = readAgain;
        readAgain = false;
        return again;
    }

    /** Returns the shards of timers in calls that are not settled. Called by any thread. */
    Set<Integer> shards() {
        return shards;
    }

    /** Returns since when the oldest running call has lasted; null if none runs. Called by any thread. */
    @Nullable
    Instant since() {
        Instant oldest = null;
        for (CallThread each : threads) {
            Instant since = each.since();
            oldest = since != null && (oldest == null || since.isBefore(oldest)) ? since : oldest;
        }
        return oldest;
    }

    /**
     * Returns from when on all running calls have lasted so long that the loop no longer waits for them; {@link
     * Instant#MIN} if none runs.
     */
    Instant notAwaitedFrom() {
        Instant from = Instant.MIN;
        for (CallThread each : threads) {
            if (!each.isFree()) {
                Instant since = each.since();
                from = Times.later(from, (since == null ? clock.now() : since).plus(LONGEST_WAIT));
            }
        }
        return from;
    }

    /** Waits for the running calls, and then interrupts them. Returns whether all have ended. Called by any thread. */
    boolean close(Supplier<Duration> left) {
        boolean ended = true;
        for (CallThread each : threads) {
            ended &= each.close(left.get());
        }
        return ended;
    }

    /** The timers of one read, divided among free threads. */
    private static final class Batches {
        private final List<List<Parcel>> all = new ArrayList<>();
        private final List<Set<String>> keys = new ArrayList<>();
        private final int size;
        private final int mostOfKey;
        private final Map<String, Integer> calls;
        private int next;

        Batches(int count, int timers, int batchSize, int mostOfKey, Map<String, Integer> calls) {
            this.mostOfKey = mostOfKey;
            this.calls = calls;
            for (int i = 0; i < count; i++) {
                all.add(new ArrayList<>());
                keys.add(new HashSet<>());
            }
            size = count == 0 ? 0 : Math.min(batchSize, (timers + count - 1) / count);
        }

        /** Adds a timer to the batch of its parallel key, else to the next one in turn. Returns whether it has room. */
        boolean add(Parcel parcel) {
            String key = parcel.timer().content().parallelKey();
            boolean isFull = key != null && calls.getOrDefault(key, 0) >= mostOfKey;
            int place = key != null && isFull ? placeOf(key) : nextWithRoom();
            if (place < 0 || all.get(place).size() >= size) {
                return false;
            }
            if (key != null && !keys.get(place).contains(key)) {
                calls.merge(key, 1, Integer::sum);
            }
            all.get(place).add(parcel);
            addKey(keys.get(place), parcel);
            return true;
        }

        /** Returns the smallest batch that holds the key; -1 if none does. */
        private int placeOf(String key) {
            int place = -1;
            for (int i = 0; i < keys.size(); i++) {
                boolean isSmaller =
                        place < 0 || all.get(i).size() < all.get(place).size();
                place = keys.get(i).contains(key) && isSmaller ? i : place;
            }
            return place;
        }

        private int nextWithRoom() {
            for (int i = 0; i < all.size(); i++) {
                int place = (next + i) % all.size();
                if (all.get(place).size() < size) {
                    next = place + 1;
                    return place;
                }
            }
            return -1;
        }

        List<List<Parcel>> filled() {
            return all.stream().filter(each -> !each.isEmpty()).toList();
        }
    }
}

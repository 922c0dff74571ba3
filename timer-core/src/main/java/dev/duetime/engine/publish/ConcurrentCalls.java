package dev.duetime.engine.publish;

import dev.duetime.StoredTimer;
import dev.duetime.TimerKey;
import dev.duetime.engine.lanes.KeyOrder;
import dev.duetime.engine.lanes.Parcel;
import dev.duetime.engine.lanes.Parcel.Lane;
import dev.duetime.engine.lanes.SlowLanes;
import dev.duetime.engine.lanes.SlowLanes.MadeCall;
import dev.duetime.engine.lanes.SlowShare.Part;
import dev.duetime.engine.loop.LoopWatch;
import dev.duetime.engine.settings.QueueSettings;
import dev.duetime.engine.window.ReadWindow;
import dev.duetime.internal.Times;
import dev.duetime.internal.timer.StoredTimers;
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
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a publisher that run at once, each in a thread of its own, while the loop reads on. No two of them hold
 * timers of one parallel key, unless the queue allows more. Used by the loop's thread, except {@link #shards}, {@link
 * #since} and {@link #close}.
 */
final class ConcurrentCalls {
    /** Bounds memory: how many timers one read takes for all calls. */
    private static final int MOST_ROWS = 10_000;

    /** Bounds memory: what all running calls hold together. */
    private static final int MOST_READS = 8;

    /** How long the loop waits for the end of the running calls before it makes a call alone. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

    private final LoopWatch clock;
    private final String queue;
    private final int most;
    private final long mostBytes;
    private final PublishCall call;
    private final List<CallThread> threads = new CopyOnWriteArrayList<>();
    private final BusyKeys keys;
    private final KeyOrder order;
    private final SlowCalls slow;
    private volatile Runnable wake = () -> {};
    private volatile Runnable onEnd = () -> {};
    private volatile Set<Integer> shards = Set.of();

    private final List<StoredTimer> recurred = new ArrayList<>();
    private boolean readAgain;
    private boolean leftSome;

    ConcurrentCalls(LoopWatch clock, QueueSettings queue, PublishCall call, KeyOrder order, FailingLanes failing) {
        this.clock = clock;
        this.queue = queue.name();
        most = queue.concurrency();
        mostBytes = MOST_READS * queue.readBytes();
        this.call = call;
        this.order = order;
        keys = new BusyKeys(threads, queue.limits().parallelKey());
        slow = new SlowCalls(clock, new SlowLanes(), failing, threads, most);
    }

    /** Sets what makes the loop run a turn after a call has ended. */
    void wakes(Consumer<Instant> loop) {
        wake = () -> loop.accept(Instant.MAX);
    }

    /** Sets what the thread of a call does after it has woken the loop. */
    void onEnd(Runnable action) {
        onEnd = action;
    }

    private void ended() {
        wake.run();
        onEnd.run();
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

    /**
     * Returns how many timers to read: a batch for each free call, or that many doubled if there is one call at most.
     */
    int rows(int batchSize, int doublings) {
        return isConcurrent()
                ? Math.max(batchSize, Math.min(batchSize * Math.max(1, free()) * slow.readsApart(), MOST_ROWS))
                : batchSize << doublings;
    }

    /** Returns how many timers of other tenants to search: as many as the free calls can hold. */
    int searched(int batchSize) {
        return isConcurrent() ? ReadWindow.roundedUp(rows(batchSize, 0)) : batchSize;
    }

    /** Returns whether the running calls leave memory for another one. */
    boolean hasMemory() {
        return bytes() < mostBytes;
    }

    private long bytes() {
        return StoredTimers.bytes(timers());
    }

    /** Returns the timers in calls. */
    List<StoredTimer> timers() {
        List<StoredTimer> timers = new ArrayList<>();
        forEach(timers::add);
        return timers;
    }

    /** Names all timers in calls, also those of calls that have ended and are not noted. */
    void forEach(Consumer<StoredTimer> action) {
        for (CallThread thread : threads) {
            for (Parcel each : thread.batch()) {
                action.accept(each.timer());
            }
        }
    }

    /** Returns how many bytes of timers to read, at most: each call has its share of the memory for all calls. */
    long bytes(long wanted) {
        if (!isConcurrent()) {
            return wanted;
        }
        long left = Math.min(mostBytes - bytes(), Math.max(1, free()) * (mostBytes / most));
        return Math.max(1, Math.min(wanted, left));
    }

    /** Returns the generations, by key, with those of the timers in calls. */
    Map<TimerKey, Long> withGenerations(Map<TimerKey, Long> others) {
        if (isIdle()) {
            return others;
        }
        Map<TimerKey, Long> all = new HashMap<>(others);
        timers().forEach(each -> all.put(each.key(), each.generation()));
        return all;
    }

    /** Returns how many timers in the calls wake at that time or later: a read returns them again. */
    int countFrom(Instant from) {
        return (int) timers().stream()
                .filter(each -> each.wakeAt() != null && !each.wakeAt().isBefore(from))
                .count();
    }

    /** Notes how long calls lasted: with several at once, this tells which lanes are slow. */
    void noteDurations(List<MadeCall> made) {
        if (isConcurrent()) {
            slow.note(made);
        }
    }

    /** Returns the calls with timers of slow lanes. */
    SlowCalls slow() {
        return slow;
    }

    /** Returns the parallel keys in calls. */
    BusyKeys keys() {
        return keys;
    }

    /**
     * Begins a job for each free thread, and divides the timers evenly among them. While lanes are slow, these have
     * calls of their own. Timers of one parallel key stay together and in order. A timer that finds no place is left
     * for a later read.
     *
     * @param kept how many free threads are left
     * @param job creates the job for a batch
     * @param begun called for the timers of each job right before it begins
     * @param mayBePublished called by each thread right before each call
     */
    void begin(
            List<Parcel> parcels,
            int batchSize,
            int kept,
            Function<List<Parcel>, CallJob> job,
            Consumer<List<Parcel>> begun,
            Supplier<Predicate<Parcel>> mayBePublished) {
        int free = Math.max(0, free() - kept);
        List<Part> parts = slow.divide(parcels, free, batchSize);
        Map<String, Integer> calls = keys.calls();
        Set<String> busy = keys.busy();
        List<List<Parcel>> batches = new ArrayList<>();
        parts.forEach(part -> batches.addAll(keys.deal(part, calls, busy)));
        batches.forEach(each -> begin(job.apply(each), begun, mayBePublished));
    }

    /**
     * Begins a job, without the timers that must wait for an earlier one of their parallel key. Returns whether it has
     * begun: if all of them must wait, it has not.
     */
    boolean begin(CallJob job, Consumer<List<Parcel>> begun, Supplier<Predicate<Parcel>> mayBePublished) {
        List<Parcel> all = job.parcels();
        List<Parcel> inOrder = order.inOrder(all);
        if (inOrder.isEmpty()) {
            return false;
        }
        Set<Integer> inCalls = new HashSet<>(shards);
        inOrder.forEach(each -> inCalls.add(each.timer().shard()));
        // Before the call begins: until it is settled, its shards are not given back.
        shards = Set.copyOf(inCalls);
        CallThread thread = freeThread();
        begun.accept(inOrder);
        thread.begin(inOrder.size() < all.size() ? job.only(inOrder) : job, mayBePublished);
        return true;
    }

    /** Returns the lanes in jobs that publish timers apart, and when each job began. */
    Map<Lane, Long> apart() {
        Map<Lane, Long> lanes = new HashMap<>();
        for (CallThread each : threads) {
            if (each.job() instanceof CallJob.OfLanes job) {
                job.lanes().forEach(lane -> lanes.put(lane.lane(), each.beganNanos()));
            }
        }
        return lanes;
    }

    /** Returns how many jobs publish timers apart or hold slow lanes. */
    int countApart() {
        Set<CallThread> slowCalls = slow.running();
        return (int) threads.stream()
                .filter(each -> slowCalls.contains(each) || each.job() instanceof CallJob.OfLanes)
                .count();
    }

    private CallThread freeThread() {
        for (CallThread each : threads) {
            if (each.isFree()) {
                return each;
            }
        }
        String name = "duetime-" + queue + "-publisher-" + (threads.size() + 1);
        CallThread added = new CallThread(clock, name, call, this::ended);
        threads.add(added);
        return added;
    }

    /** Returns the calls that have ended. Their threads hold the timers until {@link #free}. */
    List<CallThread.Ended> endedCalls() {
        List<CallThread.Ended> ended = new ArrayList<>();
        for (CallThread each : threads) {
            CallThread.Ended result = each.ended();
            if (result != null) {
                ended.add(result);
                List<StoredTimer> recurring = result.batch().stream()
                        .map(Parcel::timer)
                        .filter(timer -> timer.content().recurrence() != null)
                        .toList();
                recurred.addAll(recurring);
                boolean letsBegin = slow.noteEnded(result.batch());
                readAgain |= leftSome || !recurring.isEmpty() || letsBegin;
            }
        }
        return ended;
    }

    /** Makes each call that was begun run or end, after a turn that broke off. */
    void recover() {
        threads.forEach(CallThread::recover);
    }

    /** Frees the threads of calls whose results were noted. */
    void free(List<CallThread.Ended> noted) {
        noted.forEach(each -> each.thread().free());
    }

    /** Takes the recurring timers of calls that have ended: their next occurrences may be due already. */
    List<StoredTimer> takeRecurred() {
        List<StoredTimer> taken = List.copyOf(recurred);
        recurred.clear();
        return taken;
    }

    /** Notes that the outcomes of all ended calls are written or set aside. */
    void settled() {
        shards = timers().stream().map(StoredTimer::shard).collect(Collectors.toUnmodifiableSet());
    }

    /** Notes whether a read left timers that are due and not in a call. */
    void left(boolean some) {
        leftSome = some || keys.isWaiting();
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
            CallThread.Running running = each.running();
            Instant since = running == null ? null : running.began();
            oldest = since != null && (oldest == null || since.isBefore(oldest)) ? since : oldest;
        }
        return oldest;
    }

    /**
     * Returns from when on all running calls have lasted so long that the loop no longer waits for them; {@link
     * Instant#MIN} if none runs. It does not wait for calls of slow lanes.
     */
    Instant notAwaitedFrom() {
        Instant from = Instant.MIN;
        for (CallThread each : slow.awaited()) {
            Instant since = each.since();
            from = Times.later(from, (since == null ? clock.now() : since).plus(LONGEST_WAIT));
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
}

package dev.duetime.engine;

import dev.duetime.CancelResult;
import dev.duetime.Payload;
import dev.duetime.ScheduleResult;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerQuery;
import dev.duetime.admin.Health;
import dev.duetime.engine.operate.Operations;
import dev.duetime.listener.NodeListener;
import dev.duetime.store.NewTimer;
import dev.duetime.store.TimerWrites;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Is what a scheduler asks of its node: of one engine, or of one for each host of its store. Thread-safe. */
public interface LocalNode {

    /**
     * Starts the loops; starting again does nothing.
     *
     * @param tending what else is done at once and then once a minute
     */
    void start(List<Runnable> tending);

    /**
     * Lets deliveries finish, settles them and gives the shards back. Closing again does nothing, nor does it wait for a close
     * under way: a publisher that closes the scheduler while another thread does would wait for itself.
     */
    void close();

    /** Returns whether this node knows the queue. */
    boolean knows(String queue);

    /** Returns the names of the queues that this node knows. */
    Set<String> queues();

    /** Returns how many shards the queue has, which creates it if it is not there; 1 if it is not known. */
    int shards(String queue);

    /** Returns a token that no schedule ever had. */
    long nextGeneration();

    /** Takes the store's time again if it was taken long ago: nobody else does on a node that only schedules. */
    void refreshClock();

    /** Tells that a timer came after its deadline and was not stored. */
    void rejected(Timer timer, Instant expiresAt);

    /** Stores timers and wakes the loops that will deliver them. */
    List<ScheduleResult> schedule(List<NewTimer> timers);

    /** Stores timers in a caller's transaction, and lets the loops look for its commit. */
    List<ScheduleResult> schedule(List<NewTimer> timers, TimerWrites transaction);

    /** Cancels a timer, unless this node has the generation that stands in delivery. */
    CancelResult cancel(TimerKey key, TimerWrites writes);

    /** Cancels all scheduled timers that match, but for those that this node has in delivery; returns how many. */
    long cancel(TimerQuery query);

    /** Returns what an operator can do here. */
    Operations operations();

    /** Returns what tells the user's listeners. */
    NodeListener listener();

    /** Returns how this node fares; asks the store nothing. */
    Health health();

    /** Sets what checks and encodes what handlers schedule, before the engine is started. */
    void resolvers(BiFunction<Timer, @Nullable Instant, NewTimer> resolver, UnaryOperator<Payload> limited);
}

package dev.duetime.testkit;

import dev.duetime.Envelope;
import dev.duetime.Publisher;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.hosts.HostSet;
import dev.duetime.internal.Inside;
import dev.duetime.internal.inside.Hosts;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.TimerStore;
import dev.duetime.testkit.fault.FaultyStore;
import dev.duetime.testkit.fault.StoreFaults;
import dev.duetime.testkit.memory.InMemoryScheduleStore;
import dev.duetime.testkit.memory.InMemoryTransaction;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A harness that runs the real engine in virtual time, on a store and a publisher in memory: no database, no thread, no
 * sleep.
 *
 * <pre>{@code
 * try (TimerKit kit = TimerKit.create()) {
 *     kit.scheduler().schedule(Timer.after("order-17", Duration.ofMinutes(15)).build());
 *     kit.advance(Duration.ofMinutes(15));
 *     assertThat(kit).hasDelivered("order-17");
 * }
 * }</pre>
 *
 * <p>It is deterministic: the same calls give the same deliveries at the same instants. A kit with several nodes is a
 * cluster on one store. Not thread-safe; its scheduler, clock, publisher and store are.
 */
public final class TimerKit implements AutoCloseable {
    private final TestClock clock;
    private final InMemoryPublisher publisher;
    private final TimerStore store;
    private final Consumer<SchedulerBuilder> settings;
    private final Random seeds;
    private final List<KitNode> nodes = new ArrayList<>();

    private TimerKit(Builder given) {
        clock = new TestClock(given.startTime).everyTurn(given.store != null);
        publisher = given.publisher;
        store = given.store != null ? given.store : watched(new InMemoryScheduleStore(clock));
        settings = given.settings;
        seeds = new Random(given.seed);
    }

    private InMemoryScheduleStore watched(InMemoryScheduleStore own) {
        clock.watch(own::changes);
        return own;
    }

    /** Returns a kit with one started node, at {@link TestClock#START}. */
    public static TimerKit create() {
        return builder().build();
    }

    /** Returns a builder with the defaults. */
    public static Builder builder() {
        return new Builder();
    }

    /** Returns the scheduler of the first node. */
    public Scheduler scheduler() {
        return node(0).scheduler();
    }

    /** Returns the clock of all nodes. */
    public TestClock clock() {
        return clock;
    }

    /** Returns the publisher of all nodes. */
    public InMemoryPublisher publisher() {
        return publisher;
    }

    /**
     * Returns the store of all nodes, without the faults of single nodes.
     *
     * @throws IllegalStateException if the kit has a {@link HostSet}
     */
    public ScheduleStore store() {
        if (store instanceof ScheduleStore one) {
            return one;
        }
        throw new IllegalStateException(
                "store must be a ScheduleStore but was a " + store.getClass().getName());
    }

    /**
     * Begins a transaction of the store in memory, for {@link Scheduler#in}.
     *
     * @throws IllegalStateException if the kit has another kind of store
     */
    public InMemoryTransaction begin() {
        if (store instanceof InMemoryScheduleStore inMemory) {
            return inMemory.begin();
        }
        throw new IllegalStateException("store must be an InMemoryScheduleStore to begin a transaction but was a "
                + store.getClass().getName());
    }

    /**
     * Returns a node.
     *
     * @param index from 0
     * @throws IndexOutOfBoundsException if there are fewer nodes
     */
    public KitNode node(int index) {
        return nodes.get(index);
    }

    /** Returns all nodes, including crashed and closed ones. */
    public List<KitNode> nodes() {
        return List.copyOf(nodes);
    }

    /** Adds a node and starts it. */
    public KitNode addNode() {
        return addNode(more -> {});
    }

    /** Adds a node with additional settings, and starts it. */
    public KitNode addNode(Consumer<SchedulerBuilder> more) {
        KitNode node = add(more);
        node.start();
        return node;
    }

    private KitNode add(Consumer<SchedulerBuilder> more) {
        KitNode node = new KitNode(this, "node-" + nodes.size(), more);
        nodes.add(node);
        return node;
    }

    /** Builds a new process of the node. Each process has another random seed, or generations would repeat. */
    Scheduler build(KitNode node, Consumer<SchedulerBuilder> more) {
        SchedulerBuilder builder = Scheduler.builder()
                .store(faulty(node.faults()))
                .clock(node.clock())
                .publisher(publisher)
                .random(new Random(seeds.nextLong()))
                .nodeId(node.id());
        settings.accept(builder);
        more.accept(builder);
        return builder.build();
    }

    /** Returns the store with the faults of one node. A node has its own faults on each host of a host set. */
    private TimerStore faulty(StoreFaults faults) {
        return store instanceof HostSet
                ? Inside.of(store, Hosts.class).with((host, part) -> new FaultyStore(part, faults))
                : new FaultyStore(store(), faults);
    }

    /** Returns the virtual time. */
    public Instant now() {
        return clock.now();
    }

    /** Lets time pass, and fires everything that becomes due meanwhile, in order, each at its exact virtual time. */
    public void advance(Duration duration) {
        clock.advance(duration);
    }

    /** Lets time pass until an instant, and fires everything that becomes due meanwhile. */
    public void advanceTo(Instant instant) {
        clock.advanceTo(instant);
    }

    /** Fires what is due now. */
    public void runDue() {
        clock.runDue();
    }

    /** Returns the envelopes that the publisher accepted, in order. */
    public List<Envelope> delivered() {
        return publisher.delivered();
    }

    /** Returns the envelopes that the publisher accepted for one timer of the default tenant, in order. */
    public List<Envelope> delivered(String timerId) {
        return publisher.delivered(timerId);
    }

    /** Closes all nodes that have not crashed. */
    @Override
    public void close() {
        nodes.forEach(KitNode::close);
    }

    /** A builder of a {@link TimerKit}. Not thread-safe. */
    public static final class Builder {
        private Instant startTime = TestClock.START;
        private InMemoryPublisher publisher = new InMemoryPublisher();
        private @Nullable TimerStore store;
        private Consumer<SchedulerBuilder> settings = builder -> {};
        private int nodes = 1;
        private long seed = 1;
        private boolean started = true;

        private Builder() {}

        /** Sets the start of virtual time; {@link TestClock#START} by default. */
        public Builder startTime(Instant startTime) {
            this.startTime = startTime;
            return this;
        }

        /**
         * Adds settings for the schedulers of all nodes: queues, retries, intervals, a listener. The kit sets clock and
         * store.
         */
        public Builder configure(Consumer<SchedulerBuilder> more) {
            settings = settings.andThen(more);
            return this;
        }

        /** Sets the publisher; a new one by default. For your own {@link Publisher} use {@link #configure}. */
        public Builder publisher(InMemoryPublisher publisher) {
            this.publisher = publisher;
            return this;
        }

        /**
         * Sets the store, a {@link ScheduleStore} or a {@link HostSet}; a new {@link InMemoryScheduleStore} by default.
         */
        public Builder store(TimerStore store) {
            this.store = store;
            return this;
        }

        /**
         * Sets how many nodes there are at first; 1 by default.
         *
         * @throws IllegalArgumentException if {@code nodes < 1}
         */
        public Builder nodes(int nodes) {
            if (nodes < 1) {
                throw new IllegalArgumentException("nodes must be at least 1 but was " + nodes);
            }
            this.nodes = nodes;
            return this;
        }

        /** Sets the random seed, for the jitter of retries and the ids of envelopes; 1 by default. */
        public Builder seed(long seed) {
            this.seed = seed;
            return this;
        }

        /** Leaves it to the test to {@linkplain KitNode#start start} the nodes. By default the kit starts them. */
        public Builder notStarted() {
            started = false;
            return this;
        }

        /**
         * Returns the kit. Its nodes have acquired their shards unless they are {@linkplain #notStarted not started}.
         */
        public TimerKit build() {
            TimerKit kit = new TimerKit(this);
            for (int i = 0; i < nodes; i++) {
                kit.add(more -> {});
            }
            if (started) {
                kit.nodes.forEach(KitNode::start);
                kit.runDue();
            }
            return kit;
        }
    }
}

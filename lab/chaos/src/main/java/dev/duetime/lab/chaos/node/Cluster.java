package dev.duetime.lab.chaos.node;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The nodes of a trial: a fixed number of places, each with a process that may be replaced. Thread-safe. */
public final class Cluster implements AutoCloseable {
    /** The beginning of the names of processes that run on the previous release. */
    public static final String OLD = "old";

    private final Class<?> program;
    private final @Nullable String previous;
    private final NodeSettings settings;

    // Mutable state, guarded by this.
    private final List<Node> nodes = new ArrayList<>();
    private final int[] incarnations;
    private final boolean[] isOld;
    private boolean closed;

    /**
     * Starts the nodes, each by the {@code main} of a program.
     *
     * @param previous the class path of the previous release, on which all of them run at first; null to run all on
     *     this release
     */
    public Cluster(Class<?> program, NodeSettings settings, int size, @Nullable String previous) {
        this.program = program;
        this.settings = settings;
        this.previous = previous;
        incarnations = new int[size];
        isOld = new boolean[size];
        Arrays.fill(isOld, previous != null);
        IntStream.range(0, size).forEach(place -> nodes.add(next(place)));
    }

    private Node next(int place) {
        incarnations[place]++;
        String name = "%s-%d.%d".formatted(isOld[place] ? OLD : "node", place + 1, incarnations[place]);
        return Node.start(
                program,
                settings.named(name),
                isOld[place] && previous != null ? previous : System.getProperty("java.class.path"));
    }

    /** Starts the process of a place again, on the previous release or on this one. */
    public synchronized void restart(int place, boolean onPrevious) {
        isOld[place] = onPrevious;
        restart(place);
    }

    /** Returns how many places there are. */
    public int size() {
        return incarnations.length;
    }

    public synchronized Node node(int place) {
        return nodes.get(place);
    }

    public synchronized List<Node> alive() {
        return nodes.stream().filter(Node::isAlive).toList();
    }

    /** Returns the names of the processes that run, for a log. */
    public String names() {
        return alive().stream().map(Node::name).collect(Collectors.joining(","));
    }

    /** Returns a place whose process runs; -1 if there are fewer than two. */
    public synchronized int randomPlace(RandomGenerator random) {
        int[] running = IntStream.range(0, size())
                .filter(place -> nodes.get(place).isAlive())
                .toArray();
        return running.length < 2 ? -1 : running[random.nextInt(running.length)];
    }

    /** Returns the places whose process has ended. */
    public synchronized List<Integer> dead() {
        return IntStream.range(0, size())
                .filter(place -> !nodes.get(place).isAlive())
                .boxed()
                .toList();
    }

    /** Starts the process of a place again, under a new name. */
    public synchronized void restart(int place) {
        if (!closed && !nodes.get(place).isAlive()) {
            nodes.set(place, next(place));
        }
    }

    @Override
    public synchronized void close() {
        closed = true;
        nodes.forEach(Node::kill);
    }
}

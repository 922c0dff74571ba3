package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.log.Entry.Phase;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.node.Cluster;
import dev.duetime.lab.chaos.node.Node;
import dev.duetime.lab.chaos.node.NodeMain;
import dev.duetime.lab.chaos.node.NodeSettings;
import dev.duetime.lab.chaos.node.PreviousRelease;
import dev.duetime.lab.chaos.node.Scratch;
import dev.duetime.lab.chaos.node.ShardWatch;
import dev.duetime.lab.chaos.server.Commands;
import dev.duetime.lab.chaos.server.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/** The running parts of one trial: server, nodes, logs. Closing it ends all of them at any time. */
public final class Trial implements AutoCloseable {
    public static final String TROUBLE = "trouble";
    public static final String CALM = "calm";
    public static final String QUIET = "quiet";

    private static final Duration LOOK_EVERY = Duration.ofMillis(100);
    private static final Duration SLOW_MACHINE = Duration.ofSeconds(60);
    private static final Duration ALL_LOGGED = Duration.ofSeconds(1);
    private static final int SHARDS = 64;

    final Arguments.Load load;
    final Server server;
    public final Scratch scratch;
    final Log log;
    final ShardWatch watch;
    final Cluster cluster;
    final RandomGenerator random;
    private final Path logs;
    private final AtomicBoolean closed = new AtomicBoolean();

    public Trial(Arguments arguments, Path logs, double ratePerNode, Class<?> program)
            throws IOException, SQLException {
        this.logs = logs;
        String previous = arguments.scenario().equals(UpgradeScenario.NAME)
                ? PreviousRelease.classPath(arguments.previous(), logs)
                : null;
        load = arguments.load();
        random = new Random(arguments.seed());
        log = new Log(logs.resolve("trial.log"));
        server = arguments.source().open();
        scratch = openScratch();
        watch = ShardWatch.start(scratch, log);
        NodeSettings node = new NodeSettings("", scratch.url(), logs, ratePerNode, load.lease(), load.delay());
        cluster = new Cluster(program, node, load.nodes(), previous);
        Runtime.getRuntime().addShutdownHook(new Thread(this::close, "close"));
    }

    private Scratch openScratch() throws SQLException {
        try {
            return new Scratch(server.url());
        } catch (SQLException | RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Begins a phase; returns when. */
    public long begin(String phase) {
        long now = Log.now();
        log.append(new Phase(now, phase, cluster.names()));
        say("%s: %s".formatted(phase, cluster.names()));
        return now;
    }

    public void say(String what) {
        System.out.println("# " + what);
    }

    /** Waits until every node runs and no node has more than its share of the shards. */
    public void awaitBalance() {
        int share = (SHARDS + cluster.size() - 1) / cluster.size();
        await("shards are not balanced: ", load.lease().multipliedBy(3), () -> {
            Map<String, Long> counts = watch.counts();
            List<String> names = cluster.alive().stream().map(Node::name).toList();
            return names.size() == cluster.size()
                    && counts.keySet().equals(Set.copyOf(names))
                    && counts.values().stream().allMatch(each -> each <= share);
        });
    }

    /** Lets the nodes work without faults, to see how evenly they share the work. */
    public void calm() {
        awaitBalance();
        Commands.pause(load.delay());
        begin(CALM);
        Commands.pause(longer(load.lease(), load.delay()).multipliedBy(2));
    }

    /** Ends the load and waits until no timer is scheduled. Returns how many timers still are. */
    public int quiet() throws SQLException {
        begin(QUIET);
        cluster.alive().forEach(each -> each.tell(NodeMain.QUIET));
        await("timers are still scheduled", load.delay().plus(load.lease()), () -> scratch.pending() == 0);
        Commands.pause(ALL_LOGGED);
        return scratch.pending();
    }

    /** Returns the history of the logs so far. */
    History logged() throws IOException {
        return History.read(logs);
    }

    /** Ends the nodes and reads all logs. */
    public History history() throws SQLException, IOException {
        cluster.close();
        watch.close();
        log.append(scratch.placed());
        return History.read(logs);
    }

    /** A condition to wait for. */
    interface Condition {
        boolean holds() throws SQLException, IOException;
    }

    /** Waits for this long, and a minute more on a slow machine. Reports it if that is not enough. */
    void await(String otherwise, Duration usual, Condition condition) {
        long end = System.nanoTime() + usual.plus(SLOW_MACHINE).toNanos();
        while (!holds(condition)) {
            if (System.nanoTime() > end) {
                say(otherwise + watch.counts());
                return;
            }
            Commands.pause(LOOK_EVERY);
        }
    }

    private static boolean holds(Condition condition) {
        try {
            return condition.holds();
        } catch (SQLException | IOException e) {
            return false;
        }
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            cluster.close();
            watch.close();
            scratch.close();
            server.close();
        }
    }

    public static Path newLogs(Arguments arguments) throws IOException {
        return arguments.logs().isPresent()
                ? Files.createDirectories(arguments.logs().get())
                : Files.createTempDirectory("duetime-chaos-logs-");
    }
}

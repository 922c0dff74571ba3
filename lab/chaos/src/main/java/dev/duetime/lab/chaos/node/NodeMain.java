package dev.duetime.lab.chaos.node;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Entry.Phase;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.server.Commands;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * The program of a node. It schedules and delivers, follows the commands on its standard input, and ends when that
 * input ends.
 */
public final class NodeMain {
    public static final String QUIET = "quiet";
    public static final String FILL = "fill ";
    public static final String HEAP = "heap ";
    public static final String RUDE = "rude ";

    private static final int WRITERS = 8;
    private static final int CONNECTIONS = 8;
    private static final long NO_CONNECTION_MILLIS = 1_000;
    private static final Duration AFTER_A_FAILURE = Duration.ofMillis(500);
    private static final Duration LOOK_FOR_STALLS = Duration.ofMillis(50);

    private final NodeSettings settings;
    private final Log log;
    private final HikariDataSource pool;
    private final LoggingPublisher publisher;
    private final List<Writer> writers = new ArrayList<>();

    private NodeMain(NodeSettings settings) {
        this.settings = settings;
        log = new Log(settings.log());
        publisher = new LoggingPublisher(log, settings.name());
        pool = Scratch.pool(settings.url(), CONNECTIONS, NO_CONNECTION_MILLIS);
    }

    /** Runs a node. */
    public static void main(String[] args) throws IOException {
        NodeMain node = new NodeMain(NodeSettings.parse(args));
        daemon("start", node::start);
        node.obey();
        // The parent has ended, so an orderly close has no use.
        Runtime.getRuntime().halt(1);
    }

    private void start() {
        Scheduler scheduler = untilOpen();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(scheduler), "close"));
        scheduler.start();
        daemon("stalls", this::noteStalls);
        log.append(new Phase(Log.now(), "started", settings.name()));
        Duration every = Duration.ofNanos((long) (1e9 * WRITERS / settings.rate()));
        for (int i = 1; i <= WRITERS; i++) {
            Writer writer =
                    new Writer(scheduler, log, settings.name() + "-" + i, every, settings.delay(), new Random());
            writers.add(writer);
            daemon("writer-" + i, writer);
        }
    }

    private static void daemon(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Logs each pause of this process that lasts more than half its lease. Its reason may be a busy machine. */
    private void noteStalls() {
        long limit = TimeUnit.NANOSECONDS.toMicros(settings.lease().toNanos()) / 2;
        for (long last = Log.now(); ; ) {
            Commands.pause(LOOK_FOR_STALLS);
            long now = Log.now();
            if (now - last > limit) {
                log.append(new Fault(last, now, "stall", settings.name()));
            }
            last = now;
        }
    }

    /** A node may be started while the server is away. */
    private Scheduler untilOpen() {
        while (true) {
            try {
                return Scheduler.builder()
                        .store(JdbcScheduleStore.of(pool))
                        .publisher(publisher)
                        .nodeId(settings.name())
                        .leaseDuration(settings.lease())
                        .build();
            } catch (StoreException e) {
                System.out.println("not open yet: " + e.getMessage());
                Commands.pause(AFTER_A_FAILURE);
            }
        }
    }

    private void close(Scheduler scheduler) {
        writers.forEach(Writer::stop);
        scheduler.close();
        pool.close();
    }

    private void obey() throws IOException {
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String order = orders.readLine(); order != null; order = orders.readLine()) {
            obey(order);
        }
    }

    private void obey(String order) {
        if (order.equals(QUIET)) {
            writers.forEach(Writer::stop);
        } else if (order.startsWith(FILL)) {
            Duration duration = Duration.parse(order.substring(FILL.length()));
            daemon("fill", () -> fill(duration));
        } else if (order.startsWith(HEAP)) {
            Duration duration = Duration.parse(order.substring(HEAP.length()));
            daemon("heap", new FullHeap(log, settings.name(), duration));
        } else if (order.startsWith(RUDE)) {
            Duration duration = Duration.parse(order.substring(RUDE.length()));
            publisher.beRude(Log.now() + TimeUnit.NANOSECONDS.toMicros(duration.toNanos()));
        }
    }

    /** Takes every connection that the pool gives, and keeps them for a while. */
    private void fill(Duration duration) {
        long from = Log.now();
        List<Connection> taken = new ArrayList<>();
        try {
            while (taken.size() < CONNECTIONS) {
                taken.add(pool.getConnection());
            }
        } catch (SQLException e) {
            System.out.println("took " + taken.size() + " connections: " + e.getMessage());
        }
        // This is logged before it is over, because the node may be killed meanwhile.
        long until = Log.now() + TimeUnit.NANOSECONDS.toMicros(duration.toNanos());
        log.append(new Fault(from, until, "fill", settings.name()));
        Commands.pause(duration);
        for (Connection each : taken) {
            try {
                each.close();
            } catch (SQLException e) {
                System.out.println("a connection was gone: " + e.getMessage());
            }
        }
    }
}

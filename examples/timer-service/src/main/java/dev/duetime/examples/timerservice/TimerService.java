package dev.duetime.examples.timerservice;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.PayloadException;
import dev.duetime.Publisher;
import dev.duetime.RetryPolicy;
import dev.duetime.Scheduler;
import dev.duetime.SchedulerBuilder;
import dev.duetime.UnknownTypeException;
import dev.duetime.console.ConsoleServer;
import dev.duetime.jdbc.JdbcScheduleStore;
import dev.duetime.metrics.TimerMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The timer service: {@code ScheduleTimer} commands in, {@code DueTimeReached} events out. It runs until it is stopped.
 * {@link Settings} lists the environment variables. It exits with 2 if one of them is wrong, and with 1 if the database
 * or the HTTP port is not available. If the broker is away, it waits for it.
 */
public final class TimerService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(TimerService.class);
    /** A message of NATS is at most 1 MiB by default. This leaves room for the other fields of an event. */
    private static final int MOST_PAYLOAD_BYTES = 960 * 1024;

    /** A command whose row another transaction holds for longer comes again. Meanwhile all others wait for it. */
    private static final Duration LOCK_TIMEOUT = Duration.ofMillis(500);

    /** Until a command is stored it takes several times its size: its text, its payload and its row. */
    private static final int COMMANDS_OF_HEAP = 32;

    private final HikariDataSource database;
    private final Broker broker;
    private final Scheduler scheduler;
    private final CommandConsumer commands;
    private final HttpEndpoint http;
    private final List<ConsoleServer> consoles;

    private TimerService(Settings settings, HikariDataSource database, UnaryOperator<Publisher> decoration)
            throws IOException {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        ServiceMeters meters = new ServiceMeters(registry);
        this.database = database;
        broker = new Broker(settings.broker().url());
        Publisher publisher = new JetStreamPublisher(broker, settings.broker().eventSubject(), meters);
        SchedulerBuilder builder = Scheduler.builder()
                .store(JdbcScheduleStore.builder(database)
                        .lockTimeout(LOCK_TIMEOUT)
                        .build())
                .publisher(decoration.apply(publisher))
                .pollInterval(settings.pollingInterval())
                .batchSize(settings.batchSize())
                .maxPayloadBytes(MOST_PAYLOAD_BYTES)
                // The client's error for a message that is larger than the server takes, headers included.
                .retry(RetryPolicy.exponential(Duration.ofSeconds(1), Duration.ofMinutes(5))
                        .noRetryOn(PayloadException.class, UnknownTypeException.class, IllegalArgumentException.class))
                .listener(meters)
                .listener(new TimerMetrics(registry));
        if (settings.database().isFile()) {
            // Only one process uses the file. So after a kill it need not wait for the end of its old lease.
            builder.nodeId("timer-service");
        }
        scheduler = builder.build();
        commands = new CommandConsumer(
                broker,
                settings.broker(),
                settings.batchSize(),
                Runtime.getRuntime().maxMemory() / COMMANDS_OF_HEAP,
                new CommandBatch(scheduler, meters)::take);
        http = new HttpEndpoint(settings.http(), scheduler, broker::isConnected, commands::isRunning, registry);
        consoles = settings.consolePort() == 0
                ? List.of()
                : List.of(ConsoleServer.start(scheduler, settings.consolePort()));
    }

    /** Runs the service until it gets SIGTERM or SIGINT. */
    public static void main(String[] args) {
        Settings settings;
        try {
            settings = Settings.of(System.getenv());
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.exit(2);
            return;
        }
        try {
            TimerService service = start(settings);
            Runtime.getRuntime().addShutdownHook(new Thread(service::close, "shutdown"));
        } catch (IOException | RuntimeException e) {
            LOG.error("cannot start on {}: {}", settings.database(), Secrets.reasons(e));
            System.exit(1);
        }
    }

    /**
     * Starts to take commands and to deliver, as soon as there is a broker.
     *
     * @throws IOException if the HTTP port is taken
     */
    static TimerService start(Settings settings) throws IOException {
        return start(settings, settings.database().open(), UnaryOperator.identity());
    }

    /** Starts on a database that the service will close. The publisher is wrapped by the given function. */
    static TimerService start(Settings settings, HikariDataSource database, UnaryOperator<Publisher> decoration)
            throws IOException {
        TimerService service;
        try {
            service = new TimerService(settings, database, decoration);
        } catch (IOException | RuntimeException e) {
            database.close();
            throw e;
        }
        service.broker.start();
        service.scheduler.start();
        service.commands.start();
        service.http.start();
        LOG.info(
                "timers are kept in {}, http://{}:{} shows health and metrics",
                settings.database(),
                settings.http().host(),
                service.port());
        service.consoles.forEach(each -> LOG.info("the console is at {}", each.address()));
        return service;
    }

    int port() {
        return http.port();
    }

    /** Takes no more commands, finishes the work under way, and acknowledges the handled commands. */
    @Override
    public void close() {
        consoles.forEach(ConsoleServer::close);
        commands.close();
        scheduler.close();
        broker.close();
        http.close();
        database.close();
        LOG.info("stopped");
    }
}

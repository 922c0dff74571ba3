package dev.duetime.examples.timerservice.load;

import dev.duetime.examples.timerservice.TimerService;
import dev.duetime.examples.timerservice.load.LoadReport.Lateness;
import io.nats.client.Connection;
import io.nats.client.ErrorListener;
import io.nats.client.JetStreamApiException;
import io.nats.client.Nats;
import io.nats.client.Options;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A program that puts the service under load, with its own NATS server and SQLite. It checks that every accepted
 * command was delivered exactly. It needs the program nats-server. Its arguments are those of {@link LoadPlan}. It
 * exits with 1 if a number is wrong.
 */
public final class Load {
    private static final String COMMANDS = "timer.commands";
    private static final String EVENT_STREAM = "TIMER_EVENTS";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final LoadPlan plan;
    private final Path directory;
    private final PrintStream out;

    private Load(LoadPlan plan, Path directory, PrintStream out) {
        this.plan = plan;
        this.directory = directory;
        this.out = out;
    }

    /** Runs a plan in a directory of its own, which is not deleted. */
    public static void main(String[] args) throws Exception {
        LoadPlan plan = LoadPlan.parse(args);
        Path directory = Files.createTempDirectory("timer-service-load");
        System.out.println("logs, streams and database are in " + directory);
        boolean exact = run(plan, directory, System.out).isExact();
        System.out.println(exact ? "exact: each accepted command led to one event" : "WRONG");
        System.exit(exact ? 0 : 1);
    }

    /** Runs a plan and prints the results. */
    public static LoadReport run(LoadPlan plan, Path directory, PrintStream out) throws Exception {
        return new Load(plan, directory, out).run();
    }

    private LoadReport run() throws Exception {
        try (NatsServer broker = new NatsServer(directory)) {
            broker.start();
            Map<String, String> environment = Map.of(
                    "TIMER_BROKER_URL", broker.url(),
                    "TIMER_DB_PATH", directory.resolve("event_service.db").toString());
            try (ServiceProcess service =
                    ServiceProcess.start(TimerService.class.getName(), directory.resolve("service.log"), environment)) {
                service.awaitReady();
                while (!service.get("/health").startsWith("200")) {
                    TimeUnit.MILLISECONDS.sleep(50);
                }
                LoadReport report = measure(broker);
                out.print(report(report));
                service.get("/metrics")
                        .lines()
                        .filter(line -> line.matches("timer_(commands|schedules|events)_.*") && !line.endsWith(" 0.0"))
                        .forEach(out::println);
                out.printf("SIGTERM: exit status %d%n", service.terminate());
                return report;
            }
        }
    }

    private LoadReport measure(NatsServer broker) throws Exception {
        Connection connection = Nats.connect(new Options.Builder()
                .server(broker.url())
                .maxReconnects(-1)
                .reconnectWait(Duration.ofMillis(100))
                .reconnectBufferSize(0)
                .dontForceFlushOnRequest()
                .errorListener(new ErrorListener() {})
                .build());
        CommandSender sender = new CommandSender(connection, COMMANDS, plan);
        Thread sending = new Thread(sender, "sender");
        sending.start();
        if (plan.restart()) {
            TimeUnit.MILLISECONDS.sleep(plan.seconds() * 500L);
            broker.stop();
            out.printf("broker stopped, %,d commands accepted%n", sender.accepted());
            TimeUnit.MILLISECONDS.sleep(LoadPlan.AWAY.toMillis());
            broker.start();
            out.println("broker started again");
        }
        sending.join();
        awaitEvents(connection, sender.accepted());
        LoadReport report = LoadReport.read(connection, EVENT_STREAM, sender.accepted());
        connection.close();
        return report;
    }

    /** Waits until as many events are stored, or none has come for a minute. */
    private static void awaitEvents(Connection connection, int expected)
            throws IOException, JetStreamApiException, InterruptedException {
        long last = -1;
        long deadline = 0;
        for (long events = 0; events < expected; ) {
            events = connection
                    .jetStreamManagement()
                    .getStreamInfo(EVENT_STREAM)
                    .getStreamState()
                    .getMsgCount();
            deadline = events == last ? deadline : System.nanoTime() + PATIENCE.toNanos();
            if (System.nanoTime() > deadline) {
                return;
            }
            last = events;
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private String report(LoadReport report) {
        return String.format(
                Locale.ROOT,
                """
                %,d commands a second for %d s%s
                commands accepted %,9d
                events delivered  %,9d
                distinct ids      %,9d
                distinct timers   %,9d
                early             %,9d
                lateness          p50 %s
                  and stored      p50 %s
                """,
                plan.rate(),
                plan.seconds(),
                plan.restart() ? ", broker away for " + LoadPlan.AWAY.toSeconds() + " s in the middle" : "",
                report.accepted(),
                report.delivered(),
                report.ids(),
                report.timers(),
                report.early(),
                shown(report.published()),
                shown(report.stored()));
    }

    private static String shown(Lateness lateness) {
        return String.format(
                Locale.ROOT, "%.1f ms, p99 %.1f ms, max %.1f ms", lateness.p50(), lateness.p99(), lateness.max());
    }
}

package dev.duetime.examples.timerservice;

import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The settings from the environment. Immutable and thread-safe.
 *
 * @param pollingInterval {@code TIMER_POLLING_INTERVAL}, in milliseconds or with a unit, 5 s by default, 1 ms to 1 h
 * @param batchSize {@code TIMER_BATCH_SIZE}, of commands and of events, 100 by default, 1 to 10,000
 * @param database {@code TIMER_DB_PATH}, a file of SQLite, ./event_service.db by default, or a JDBC URL
 * @param broker the broker of commands and events
 * @param http {@code TIMER_HTTP_HOST} and {@code TIMER_HTTP_PORT}, 127.0.0.1:8080 by default
 * @param consolePort {@code TIMER_CONSOLE_PORT}, the port of the console, for this machine only; 0, the default, for
 *     none
 */
record Settings(
        Duration pollingInterval,
        int batchSize,
        DatabaseUrl database,
        BrokerSettings broker,
        HttpAddress http,
        int consolePort) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
    private static final Pattern SUBJECT = Pattern.compile("(?=.{1,200}$)[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
    private static final Pattern URLS =
            Pattern.compile("(nats|tls|ws|wss)://[^,\\s/]+/?(,(nats|tls|ws|wss)://[^,\\s/]+/?)*");
    private static final Pattern HOST = Pattern.compile("[A-Za-z0-9.:-]{1,255}");

    /**
     * The servers, streams and subjects of the broker.
     *
     * @param url {@code TIMER_BROKER_URL}, nats://127.0.0.1:4222 by default; several are separated by commas
     * @param commandStream {@code TIMER_COMMAND_STREAM}, TIMER_COMMANDS by default
     * @param commandSubject {@code TIMER_COMMAND_SUBJECT}, timer.commands by default
     * @param consumer {@code TIMER_CONSUMER}, timer-service by default; instances of one name share the work
     * @param eventStream {@code TIMER_EVENT_STREAM}, TIMER_EVENTS by default
     * @param eventSubject {@code TIMER_EVENT_SUBJECT}, timer.events by default
     */
    record BrokerSettings(
            String url,
            String commandStream,
            String commandSubject,
            String consumer,
            String eventStream,
            String eventSubject) {}

    /** The address at which health and metrics are served; port 0 is any free port. */
    record HttpAddress(String host, int port) {}

    /** @throws IllegalArgumentException if a value is wrong; names the variable, what is allowed and the value */
    static Settings of(Map<String, String> variables) {
        Environment environment = new Environment(variables);
        String name = "1 to 64 letters, digits, - or _";
        String subject = "a subject without wildcards, of letters, digits, -, _ and dots";
        Settings settings = new Settings(
                environment.duration(
                        "TIMER_POLLING_INTERVAL", Duration.ofSeconds(5), Duration.ofMillis(1), Duration.ofHours(1)),
                environment.number("TIMER_BATCH_SIZE", 100, 1, 10_000),
                DatabaseUrl.of(environment.text(
                        "TIMER_DB_PATH", "./event_service.db", Pattern.compile(".*\\S.*"), "a path or a JDBC URL")),
                new BrokerSettings(
                        environment.text(
                                "TIMER_BROKER_URL",
                                "nats://127.0.0.1:4222",
                                URLS,
                                "URLs such as nats://host:4222, separated by commas"),
                        environment.text("TIMER_COMMAND_STREAM", "TIMER_COMMANDS", NAME, name),
                        environment.text("TIMER_COMMAND_SUBJECT", "timer.commands", SUBJECT, subject),
                        environment.text("TIMER_CONSUMER", "timer-service", NAME, name),
                        environment.text("TIMER_EVENT_STREAM", "TIMER_EVENTS", NAME, name),
                        environment.text("TIMER_EVENT_SUBJECT", "timer.events", SUBJECT, subject)),
                new HttpAddress(
                        environment.text("TIMER_HTTP_HOST", "127.0.0.1", HOST, "a host name or an address"),
                        environment.number("TIMER_HTTP_PORT", 8080, 0, 65_535)),
                environment.number("TIMER_CONSOLE_PORT", 0, 0, 65_535));
        if (settings.broker.eventSubject.equals(settings.broker.commandSubject)) {
            throw Environment.refused(
                    "TIMER_EVENT_SUBJECT", "another than TIMER_COMMAND_SUBJECT", settings.broker.eventSubject);
        }
        if (settings.broker.eventStream.equals(settings.broker.commandStream)) {
            throw Environment.refused(
                    "TIMER_EVENT_STREAM", "another than TIMER_COMMAND_STREAM", settings.broker.eventStream);
        }
        return settings;
    }
}

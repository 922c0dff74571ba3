package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.node.PreviousRelease;
import dev.duetime.lab.chaos.server.GivenServer;
import dev.duetime.lab.chaos.server.OwnServer;
import dev.duetime.lab.chaos.server.Product;
import dev.duetime.lab.chaos.server.Server;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The arguments on the command line. */
public record Arguments(
        String scenario,
        Source source,
        Load load,
        long seed,
        String previous,
        Optional<Path> json,
        Optional<Path> logs) {
    public static final String USAGE = """
        java -jar chaos.jar [options]
          --scenario torment|takeover|rolling   torment; see docs/reliability.md
              prompt|future-leases|held-rows|full-heap|rude-code|upgrade; of todos:
              todos|todos-killed|limits|deadly-todo|small-pools|merges
          --database postgres|mariadb|mysql     postgres; a server is started for the trial, and removed
          --url JDBC_URL                        use this server instead, with user and password; loopback only
          --restart-command COMMAND             how to restart it hard; without one it is not restarted
          --nodes N                             4; from 2 to 16
          --seconds S                           60; how long the trouble lasts
          --rate R                              500 timers or todos scheduled a second, by all nodes together
          --lease S                             10; leaseDuration in seconds, may be a fraction
          --delay S                             8; timers are due after at most so long
          --seed N                              what the tormentor does; random, and printed
          --previous COMMIT                     the release from which upgrade starts: a commit or tag of this
                                                repository; run it inside of that
          --json FILE                           write the report there, too
          --logs DIRECTORY                      keep the logs there
        """;

    private static final Duration DEFAULT_LEASE = Duration.ofSeconds(10);
    private static final List<String> SCENARIOS = List.of(
            "torment",
            "takeover",
            "rolling",
            "prompt",
            "future-leases",
            "held-rows",
            "full-heap",
            "rude-code",
            UpgradeScenario.NAME,
            "todos",
            "todos-killed",
            "limits",
            "deadly-todo",
            "small-pools",
            "merges");
    private static final List<String> OPTIONS = List.of(
            "scenario",
            "database",
            "url",
            "restart-command",
            "nodes",
            "seconds",
            "rate",
            "lease",
            "delay",
            "seed",
            "previous",
            "json",
            "logs");

    /** The place where timers are stored; an empty URL means that the trial starts its own server. */
    record Source(String database, String url, String restartCommand) {
        Server open() {
            if (!url.isEmpty()) {
                return new GivenServer(url, restartCommand);
            }
            return switch (database) {
                case "mariadb" -> OwnServer.mariaDb();
                case "mysql" -> OwnServer.mySql();
                default -> OwnServer.postgres();
            };
        }
    }

    /** The amount of work, and the number of nodes that do it. */
    public record Load(int nodes, int seconds, int rate, Duration lease, Duration delay) {
        boolean hasDefaultLease() {
            return lease.equals(DEFAULT_LEASE);
        }
    }

    /**
     * Reads the arguments of the command line.
     *
     * @throws IllegalArgumentException if an option is unknown, or its value is out of range
     */
    public static Arguments parse(String... args) {
        Map<String, String> given = new HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            String name = args[i].replaceFirst("^--", "");
            if (!OPTIONS.contains(name) || i + 1 == args.length) {
                throw new IllegalArgumentException("unknown option, or one without a value: " + args[i]);
            }
            given.put(name, args[i + 1]);
        }
        Source source = new Source(
                oneOf(given, "database", List.of("postgres", "mariadb", "mysql")),
                loopback(given.getOrDefault("url", "")),
                given.getOrDefault("restart-command", ""));
        Load load = new Load(
                (int) number(given, "nodes", 4, 2, 16),
                (int) number(given, "seconds", 60, 1, 86_400),
                (int) number(given, "rate", 500, 1, 100_000),
                seconds(number(given, "lease", 10, 0.5, 3_600)),
                seconds(number(given, "delay", 8, 1, 3_600)));
        String seed = given.getOrDefault("seed", String.valueOf(System.nanoTime() & 0xFFFF_FFFFL));
        return new Arguments(
                oneOf(given, "scenario", SCENARIOS),
                source,
                load,
                Long.parseLong(seed),
                given.getOrDefault("previous", PreviousRelease.COMMIT),
                Optional.ofNullable(given.get("json")).map(Path::of),
                Optional.ofNullable(given.get("logs")).map(Path::of));
    }

    private static String oneOf(Map<String, String> given, String name, List<String> allowed) {
        String value = given.getOrDefault(name, allowed.get(0));
        if (!allowed.contains(value)) {
            throw new IllegalArgumentException("--%s must be one of %s but was %s".formatted(name, allowed, value));
        }
        return value;
    }

    private static double number(Map<String, String> given, String name, double standard, double least, double most) {
        String value = given.getOrDefault(name, String.valueOf(standard));
        double number = Double.parseDouble(value);
        if (number < least || number > most) {
            throw new IllegalArgumentException(
                    "--%s must be from %s to %s but was %s".formatted(name, least, most, value));
        }
        return number;
    }

    private static Duration seconds(double seconds) {
        return Duration.ofMillis(Math.round(seconds * 1_000));
    }

    /** Nodes and server share one clock, by which early deliveries are found, and the trial breaks things. */
    private static String loopback(String url) {
        if (!url.isEmpty()) {
            Product.of(url);
            String host = URI.create(url.replaceFirst("^jdbc:", "")).getHost();
            if (host == null || !host.matches("localhost|127\\..*|\\[::1]")) {
                throw new IllegalArgumentException("--url must name a server on loopback but was of host " + host);
            }
        }
        return url;
    }
}

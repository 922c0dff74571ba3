package dev.duetime.lab.benchmark.run;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a run: what to measure.
 *
 * @param scenario the name of a scenario
 * @param database on what
 * @param contestants who takes part; Duetime always does
 * @param json where the results go; null for nowhere
 * @param url a running server; null for one of our own
 * @param timers how many timers; 0 for the scenario's own number
 * @param seconds how long; 0 for the scenario's own time
 * @param repeats how often each contestant is measured
 * @param variants which of the scenario's; none for all
 * @param keep the name of a database that outlives the run; null for fresh ones
 */
public record Arguments(
        String scenario,
        DatabaseKind database,
        List<ContestantType> contestants,
        @Nullable Path json,
        @Nullable String url,
        int timers,
        int seconds,
        int repeats,
        Set<String> variants,
        @Nullable String keep) {

    public static final String USAGE = """
            usage: benchmark SCENARIO --database postgres|mariadb|mysql|h2|sqlite [--against raw,db-scheduler,quartz,jobrunr]
                             [--json FILE] [--url JDBC_URL] [--timers N] [--seconds N] [--repeats N]
                             [--variants NAME,...] [--keep NAME]
                   benchmark compare A.json B.json
                   benchmark readme [--database postgres] [--url JDBC_URL] [--repeats N] [--directory DIRECTORY]
            scenarios: %s
            """;

    private static final Set<String> OPTIONS = Set.of(
            "--database", "--against", "--json", "--url", "--timers", "--seconds", "--repeats", "--variants", "--keep");

    /**
     * Reads the command line.
     *
     * @throws IllegalArgumentException if it is not understood
     */
    public static Arguments parse(String... args) {
        Map<String, String> options = new HashMap<>();
        String scenario = "";
        for (int i = 0; i < args.length; i++) {
            if (!args[i].startsWith("--")) {
                scenario = args[i];
            } else if (!OPTIONS.contains(args[i])) {
                throw new IllegalArgumentException("option " + args[i] + " is unknown");
            } else if (i + 1 == args.length) {
                throw new IllegalArgumentException(args[i] + " must be followed by a value");
            } else {
                options.put(args[i], args[++i]);
            }
        }
        if (scenario.isEmpty()) {
            throw new IllegalArgumentException("a scenario must be named");
        }
        String json = options.get("--json");
        DatabaseKind database = DatabaseKind.valueOf(
                options.getOrDefault("--database", "postgres").toUpperCase(Locale.ROOT));
        return new Arguments(
                scenario,
                database,
                against(options.getOrDefault("--against", "")),
                json == null ? null : Path.of(json),
                options.get("--url"),
                number(options, "--timers", 0),
                number(options, "--seconds", 0),
                number(options, "--repeats", 3),
                names(options.getOrDefault("--variants", "")),
                options.get("--keep"));
    }

    private static List<ContestantType> against(String names) {
        List<ContestantType> types = new ArrayList<>(List.of(ContestantType.DUETIME));
        for (String name : names(names)) {
            if (!types.contains(ContestantType.named(name))) {
                types.add(ContestantType.named(name));
            }
        }
        return List.copyOf(types);
    }

    private static Set<String> names(String list) {
        return Stream.of(list.split(",", -1))
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static int number(Map<String, String> options, String name, int standard) {
        String value = options.get(name);
        if (value == null) {
            return standard;
        }
        int number = Integer.parseInt(value);
        if (number < 1) {
            throw new IllegalArgumentException("%s must be at least 1 but was %d".formatted(name, number));
        }
        return number;
    }

    /** Returns the command line of these arguments, without the server and its password. */
    public String line() {
        return String.join(" ", options(url == null ? null : "$URL"))
                + (contestants.size() > 1 ? " --against " + against() : "")
                + " --repeats " + repeats
                + (json == null ? "" : " --json " + json.getFileName());
    }

    private String against() {
        return contestants.stream().skip(1).map(ContestantType::label).collect(Collectors.joining(","));
    }

    /** Returns the arguments of the process of one contestant, which uses that server. */
    public List<String> options(@Nullable String server) {
        List<String> options = new ArrayList<>(List.of(scenario, "--database", database.label()));
        if (server != null) {
            options.addAll(List.of("--url", server));
        }
        if (timers > 0) {
            options.addAll(List.of("--timers", Integer.toString(timers)));
        }
        if (seconds > 0) {
            options.addAll(List.of("--seconds", Integer.toString(seconds)));
        }
        if (!variants.isEmpty()) {
            options.addAll(List.of("--variants", String.join(",", variants)));
        }
        if (keep != null) {
            options.addAll(List.of("--keep", keep));
        }
        return options;
    }

    public int timersOr(int standard) {
        return timers == 0 ? standard : timers;
    }

    public int secondsOr(int standard) {
        return seconds == 0 ? standard : seconds;
    }
}

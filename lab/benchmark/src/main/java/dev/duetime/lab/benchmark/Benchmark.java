package dev.duetime.lab.benchmark;

import dev.duetime.lab.benchmark.database.FreshDatabases;
import dev.duetime.lab.benchmark.report.Comparison;
import dev.duetime.lab.benchmark.report.JsonReport;
import dev.duetime.lab.benchmark.report.Picture;
import dev.duetime.lab.benchmark.report.Report;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Machine;
import dev.duetime.lab.benchmark.run.Results;
import dev.duetime.lab.benchmark.run.Results.Result;
import dev.duetime.lab.benchmark.scenario.Scenario;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The program that measures one scenario on one database. It prints a table, and writes JSON and a picture:
 *
 * <pre>{@code
 * java -jar lab/benchmark/target/benchmark.jar fire --database postgres --against raw,db-scheduler --json fire.json
 * }</pre>
 *
 * <p>{@code compare A.json B.json} tells which figures of two runs differ beyond noise. {@code readme} measures the
 * figures at the top of the page on performance.
 */
public final class Benchmark {

    private static final String COMPARE = "compare";
    private static final int COMPARED = 3;
    private static final String README = "readme";

    /** The scenarios whose figures mean little on a server that does not clean up. */
    private static final Set<String> CLEANED = Set.of("bloat", "sustained");

    private Benchmark() {}

    /** Runs the benchmark, or prints its usage. */
    public static void main(String[] args) throws Exception {
        if (args.length == COMPARED && args[0].equals(COMPARE)) {
            Comparison.print(Path.of(args[1]), Path.of(args[2]), System.out);
            return;
        }
        if (args.length > 0 && args[0].equals(README)) {
            Readme.run(List.of(args).subList(1, args.length));
            System.exit(0);
        }
        Arguments arguments;
        try {
            arguments = Arguments.parse(args);
            Scenario.named(arguments.scenario());
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.printf(Arguments.USAGE, String.join(", ", Scenario.names()));
            System.exit(2);
            return;
        }
        run(arguments);
        // Other libraries leave threads behind.
        System.exit(0);
    }

    static List<Result> run(Arguments arguments) throws Exception {
        try (FreshDatabases databases = open(arguments)) {
            Map<String, String> settings = settings(databases);
            Map<String, Object> machine = Machine.describe(settings);
            System.out.printf(
                    "%s on %s%n%s%n", arguments.scenario(), arguments.database().label(), machine);
            if (CLEANED.contains(arguments.scenario()) && "off".equals(settings.get("autovacuum"))) {
                System.out.println(
                        "autovacuum is off on this server: dead rows stay, and nothing recovers. Turn it on first.");
            }
            Tournament tournament = new Tournament(arguments, databases.serverUrl(), System.out);
            Results results = tournament.run();
            machine.put("tunings", tournament.tunings());
            Map<String, String> versions = new LinkedHashMap<>();
            arguments.contestants().forEach(type -> versions.put(type.label(), type.version()));
            machine.put("versions", versions);
            List<Result> summary = results.summary();
            new Report(System.out).print(summary);
            Path json = arguments.json();
            if (json != null) {
                JsonReport.write(json, arguments, machine, summary);
                Files.writeString(picture(json), Picture.of(arguments, results));
            }
            return summary;
        }
    }

    static FreshDatabases open(Arguments arguments) throws Exception {
        String keep = arguments.keep();
        return keep == null
                ? arguments.database().open(arguments.url())
                : arguments.database().openKept(arguments.url(), keep);
    }

    private static Map<String, String> settings(FreshDatabases databases) throws Exception {
        String url = databases.create();
        try (Connection connection = DriverManager.getConnection(url)) {
            return databases.settings(connection);
        } finally {
            databases.drop(url);
        }
    }

    /** Returns the name of the JSON file with another ending. */
    static Path picture(Path json) {
        return json.resolveSibling(json.getFileName().toString().replaceFirst("(\\.json)?$", ".svg"));
    }
}

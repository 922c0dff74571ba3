package dev.duetime.lab.benchmark;

import dev.duetime.lab.benchmark.run.Arguments;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The measurement of the figures that the README and the top of the page on performance show. It takes less than 20
 * minutes on two cores.
 */
final class Readme {
    private static final String DIRECTORY = "--directory";

    /** The scenarios with their arguments. Duetime and its peers run in the same minutes. */
    private static final List<List<String>> RUNS = List.of(
            List.of("fire", "--against", "raw,db-scheduler,quartz,jobrunr", "--timers", "100000", "--seconds", "8"),
            List.of("schedule", "--against", "raw,db-scheduler", "--timers", "50000", "--seconds", "3"),
            List.of("lateness", "--against", "db-scheduler", "--seconds", "8", "--variants", "1000/s"),
            List.of("todos", "--against", "db-scheduler,jobrunr", "--timers", "50000", "--seconds", "8"));

    private Readme() {}

    /** Runs all scenarios one after the other, and writes a JSON file and a picture for each. */
    static void run(List<String> options) throws Exception {
        Path directory = Path.of("docs/performance");
        List<String> others = new ArrayList<>(List.of("--repeats", "4"));
        for (int i = 0; i < options.size(); i += 2) {
            if (options.get(i).equals(DIRECTORY)) {
                directory = Path.of(options.get(i + 1));
            } else {
                others.addAll(options.subList(i, Math.min(i + 2, options.size())));
            }
        }
        Files.createDirectories(directory);
        for (List<String> run : RUNS) {
            List<String> arguments = new ArrayList<>(run);
            arguments.addAll(others);
            String database =
                    Arguments.parse(arguments.toArray(String[]::new)).database().label();
            Path json = directory.resolve(run.get(0) + "-" + database + ".json");
            arguments.addAll(List.of("--json", json.toString()));
            Benchmark.run(Arguments.parse(arguments.toArray(String[]::new)));
        }
    }
}

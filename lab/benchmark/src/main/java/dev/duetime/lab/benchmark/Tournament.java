package dev.duetime.lab.benchmark;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.report.Report;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results;
import dev.duetime.lab.benchmark.scenario.Scenario;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A series of runs of all contestants, each in a process of its own. First each contestant runs with all its possible
 * settings, to warm up and to find the best ones. Then each is measured as often as the arguments say. A different
 * contestant begins each repetition, so that drift of the machine affects all.
 */
final class Tournament {
    private final Arguments arguments;
    private final @Nullable String url;
    private final PrintStream progress;
    private final Map<String, String> tunings = new LinkedHashMap<>();

    /**
     * Creates a tournament.
     *
     * @param url the server that all contestants use; null if each uses files of its own
     */
    Tournament(Arguments arguments, @Nullable String url, PrintStream progress) {
        this.arguments = arguments;
        this.url = url;
        this.progress = progress;
    }

    Results run() throws Exception {
        List<WorkerProcess> workers = new ArrayList<>();
        try {
            for (ContestantType type : arguments.contestants()) {
                if (type.runsOn(arguments.database())) {
                    WorkerProcess worker = new WorkerProcess(type, arguments, url);
                    workers.add(worker);
                    tunings.put(type.label(), worker.settings());
                    progress.printf("%s: %s%n", type.label(), worker.settings());
                } else {
                    String database = arguments.database().label();
                    progress.printf("%s does not run on %s%n", type.label(), database);
                }
            }
            Results results = new Results();
            Set<String> variants = variants(workers);
            for (int repetition = 1; repetition <= arguments.repeats(); repetition++) {
                progress.printf("repetition %d of %d%n", repetition, arguments.repeats());
                repeat(workers, variants, results);
                Collections.rotate(workers, -1);
            }
            return results;
        } finally {
            for (WorkerProcess each : workers) {
                each.close();
            }
        }
    }

    /** Returns the chosen settings. */
    Map<String, String> tunings() {
        return Collections.unmodifiableMap(tunings);
    }

    private Set<String> variants(List<WorkerProcess> workers) {
        Set<String> variants = new LinkedHashSet<>();
        workers.forEach(each -> variants.addAll(each.variants()));
        if (!variants.containsAll(arguments.variants())) {
            throw new IllegalArgumentException(
                    "variants must be among %s but were %s".formatted(variants, arguments.variants()));
        }
        variants.removeIf(variant ->
                !arguments.variants().isEmpty() && !arguments.variants().contains(variant));
        return variants;
    }

    private void repeat(List<WorkerProcess> workers, Set<String> variants, Results results) throws IOException {
        String pictured = Scenario.named(arguments.scenario()).pictured();
        for (String variant : variants) {
            for (WorkerProcess worker : workers) {
                if (worker.variants().contains(variant)) {
                    String label = worker.type().label();
                    Worker.Answer answer = worker.measure(variant);
                    answer.values()
                            .forEach(each ->
                                    results.add(each.contestant(), each.variant(), each.metric(), each.value()));
                    answer.lines().forEach(each -> results.draw(each.contestant(), each.variant(), each.points()));
                    results.last(label, variant, pictured)
                            .ifPresent(value -> progress.printf("  %s %s: %s%n", label, variant, Report.number(value)));
                }
            }
        }
    }
}

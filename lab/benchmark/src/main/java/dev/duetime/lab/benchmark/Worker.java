package dev.duetime.lab.benchmark;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.FreshDatabases;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results;
import dev.duetime.lab.benchmark.run.Results.Line;
import dev.duetime.lab.benchmark.run.Results.Value;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The process of one contestant. Its first argument is the contestant, the others are those of the benchmark. It
 * answers the first line at once, with its settings and variants. Then it reads a variant from each line of its input,
 * and answers with a line of JSON.
 */
final class Worker {
    static final JsonMapper JSON = JsonMapper.shared();

    private Worker() {}

    /**
     * An answer.
     *
     * @param settings the settings that were the best
     * @param variants the variants that it can run
     * @param values what one trial measured
     * @param lines the lines of the picture, of all trials so far
     * @param error why the trial failed; null if it did not
     */
    record Answer(
            String settings,
            List<String> variants,
            List<Value> values,
            List<Line> lines,
            @Nullable String error) {}

    public static void main(String[] args) throws Exception {
        PrintStream answers = System.out;
        // What libraries print is no answer.
        System.setOut(System.err);
        ContestantType type = ContestantType.named(args[0]);
        Arguments arguments = Arguments.parse(Arrays.copyOfRange(args, 1, args.length));
        BufferedReader variants = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (FreshDatabases databases = Benchmark.open(arguments)) {
            ContestantRuns runs = new ContestantRuns(arguments, databases, type);
            answer(answers, new Answer(runs.settings(), runs.variants(), List.of(), List.of(), null));
            for (String variant = variants.readLine(); variant != null; variant = variants.readLine()) {
                answer(answers, measure(runs, variant));
            }
        }
        // Other libraries leave threads behind.
        System.exit(0);
    }

    private static Answer measure(ContestantRuns runs, String variant) {
        try {
            Results results = runs.measure(variant);
            return new Answer(runs.settings(), List.of(), results.takeAdded(), results.lines(), null);
        } catch (Exception e) {
            e.printStackTrace();
            return new Answer(runs.settings(), List.of(), List.of(), List.of(), e.toString());
        }
    }

    private static void answer(PrintStream answers, Answer answer) {
        answers.println(JSON.writeValueAsString(answer));
        answers.flush();
    }
}

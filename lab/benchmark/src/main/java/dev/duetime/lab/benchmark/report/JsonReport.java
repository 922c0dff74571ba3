package dev.duetime.lab.benchmark.report;

import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/** The results as JSON, for programs. */
public final class JsonReport {
    private static final ObjectWriter JSON = JsonMapper.builder().build().writerWithDefaultPrettyPrinter();

    private JsonReport() {}

    public static void write(Path file, Arguments arguments, Map<String, Object> machine, List<Result> results)
            throws IOException {
        Map<String, Object> report = new LinkedHashMap<>();
        report.put("scenario", arguments.scenario());
        report.put("database", arguments.database().label());
        report.put("command", "java -jar lab/benchmark/target/benchmark.jar " + arguments.line());
        report.put("repetitions", arguments.repeats());
        report.put("machine", machine);
        report.put("results", results.stream().map(JsonReport::row).toList());
        Files.writeString(file, JSON.writeValueAsString(report) + "\n");
    }

    private static Map<String, @Nullable Object> row(Result result) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("contestant", result.contestant());
        row.put("variant", result.variant());
        row.put("metric", result.metric());
        row.put("values", result.values());
        row.put("value", result.value().median());
        row.put("min", result.value().min());
        row.put("max", result.value().max());
        row.put(
                "ratioToRaw",
                result.ratioToRaw() == null ? null : result.ratioToRaw().median());
        return row;
    }
}

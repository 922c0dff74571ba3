package dev.duetime.examples.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.duetime.DueTimeReached;
import dev.duetime.ScheduleOutcome;
import dev.duetime.ScheduleResult;
import dev.duetime.Scheduler;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.jdbc.JdbcScheduleStore;
import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the program as its users run it: in a process of its own. */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(120)
class QuickstartTest {
    private static final int TIMERS = 40;
    private static final int DUE_AT_ONCE = 5;
    private static final Instant AT_ONCE = Instant.parse("2026-01-01T00:00:00Z");
    private static final Instant LATER = Instant.parse("2126-01-01T00:00:00Z");

    @TempDir
    Path folder;

    @Test
    void everyTimerOfTheSampleFiresOnce() throws Exception {
        List<String> output = run();

        assertThat(fired(output)).hasSize(6).doesNotHaveDuplicates();
        assertThat(output).last().isEqualTo("# nothing is pending, done");
    }

    @Test
    void anotherRunOfTheSampleFiresNothingUntilItStartsOver() throws Exception {
        run();

        assertThat(fired(run())).isEmpty();
        assertThat(fired(run("--fresh"))).hasSize(6);
    }

    @Test
    void everyTimerFiresThoughTheProcessIsKilledBetweenScheduleAndFire() throws Exception {
        Path commands = Files.write(folder.resolve("commands.jsonl"), commands());
        Path output = folder.resolve("output.txt");
        Process killed = start(Redirect.to(output.toFile()), commands.toString());
        while (fired(Files.readAllLines(output)).isEmpty()
                || !Files.readString(output).contains("timers pending")) {
            assertThat(killed.waitFor(10, TimeUnit.MILLISECONDS))
                    .as("ended by itself")
                    .isFalse();
        }
        killed.destroyForcibly().waitFor();
        List<String> before = Files.readAllLines(output);

        bringForward();
        List<String> after = run();

        assertThat(before).anyMatch(line -> line.matches("# [0-9]+ timers pending"));
        assertThat(fired(before)).hasSizeBetween(1, DUE_AT_ONCE);
        assertThat(after).anyMatch(line -> line.endsWith("pending from an earlier run"));
        assertThat(Stream.concat(fired(before).stream(), fired(after).stream()).distinct())
                .hasSize(TIMERS);
    }

    @Test
    void aMalformedLineIsReportedByItsFieldAndTheOthersAreRead() throws Exception {
        Path commands = Files.write(
                folder.resolve("commands.jsonl"),
                List.of(
                        "{\"tenantId\":\"acme\",\"timerId\":\"a\",\"dueAt\":\"soon\"}",
                        "{\"tenantId\":\"acme\",\"timerId\":\"b\",\"dueAt\":\"2026-01-01T00:00:00Z\"}"));

        List<String> output = run(commands.toString());

        assertThat(output)
                .anyMatch(line -> line.startsWith("# line 1 is malformed: field dueAt: dueAt must be an ISO-8601"));
        assertThat(fired(output)).containsExactly("b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"none.jsonl", "", "--frehs"})
    void aFileThatCannotBeReadIsNamedInOneLine(String name) throws Exception {
        String input = name.startsWith("--") ? name : folder.resolve(name).toString();
        Path output = folder.resolve("output.txt");
        Process process = start(Redirect.to(output.toFile()), input);

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(output)
                .hasContent("# cannot read " + input + ": give a file of commands, - for standard input, or"
                        + " nothing for the sample");
    }

    @Test
    void theConsoleIsServedIfItIsAskedFor() throws Exception {
        Process process = start(Redirect.PIPE, "--console");
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            String line = lines.readLine();
            while (line != null && !line.startsWith("# the console is at ")) {
                line = lines.readLine();
            }
            assertThat(line).isNotNull();
            URI address = URI.create(String.valueOf(line).substring("# the console is at ".length()));
            HttpResponse<String> page = HttpClient.newHttpClient()
                    .send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
            assertThat(page.statusCode()).isEqualTo(200);
            assertThat(page.body()).contains("href=\"/timers\"");
        } finally {
            process.destroyForcibly();
        }
    }

    /** Some timers are due at once, the others long after the program is killed. */
    private static List<String> commands() {
        return IntStream.range(0, TIMERS)
                .mapToObj(i -> "{\"tenantId\":\"acme\",\"timerId\":\"t%d\",\"dueAt\":\"%s\"}"
                        .formatted(i, i < DUE_AT_ONCE ? AT_ONCE : LATER))
                .toList();
    }

    /** Makes the later timers due, which the killed program has left in its file. */
    private void bringForward() {
        List<Timer> timers = IntStream.range(DUE_AT_ONCE, TIMERS)
                .mapToObj(i -> Timer.at(TimerKey.of("acme", "t" + i), AT_ONCE).build())
                .toList();
        try (HikariDataSource database = new DatabaseFile(folder.resolve("quickstart")).open();
                Scheduler scheduler = Scheduler.builder()
                        .store(JdbcScheduleStore.of(database))
                        .publisher(batch -> {})
                        .build()) {
            assertThat(scheduler.scheduleAll(timers))
                    .extracting(ScheduleResult::outcome)
                    .containsOnly(ScheduleOutcome.RESCHEDULED);
        }
    }

    private List<String> run(String... args) throws Exception {
        Process process = start(Redirect.PIPE, args);
        try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
            List<String> output = lines.lines().toList();
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).as("%s", output).isZero();
            return output;
        } finally {
            process.destroyForcibly();
        }
    }

    private Process start(Redirect output, String... args) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                "-Dquickstart.database=" + folder.resolve("quickstart"),
                Quickstart.class.getName()));
        command.addAll(List.of(args));
        return new ProcessBuilder(command)
                .redirectOutput(output)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    private static List<String> fired(List<String> output) {
        return output.stream()
                .filter(line -> line.startsWith("{") && line.endsWith("}"))
                .map(line -> DueTimeReached.fromJson(line).key())
                .map(key -> key.tenantId().equals("acme") ? key.timerId() : key.toString())
                .toList();
    }
}

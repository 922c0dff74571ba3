package dev.duetime.lab.benchmark;

import dev.duetime.lab.benchmark.Worker.Answer;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.run.Arguments;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A contestant in a process of its own: no contestant runs code that another one made the compiler change, nor in its
 * heap. All have the same JVM and options. While one is measured, the others wait for their turn.
 */
final class WorkerProcess implements AutoCloseable {
    private static final int SECONDS_TO_END = 20;

    private final ContestantType type;
    private final Process process;
    private final BufferedReader answers;
    private final PrintStream requests;
    private final Answer ready;

    /** Starts a process, and waits until it has warmed up. */
    WorkerProcess(ContestantType type, Arguments arguments, @Nullable String url) throws IOException {
        this.type = type;
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(option -> !option.startsWith("-javaagent"))
                .forEach(command::add);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Worker.class.getName(), type.label()));
        command.addAll(arguments.options(url));
        process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
        answers = process.inputReader(StandardCharsets.UTF_8);
        requests = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
        ready = answer();
    }

    ContestantType type() {
        return type;
    }

    String settings() {
        return ready.settings();
    }

    List<String> variants() {
        return ready.variants();
    }

    /**
     * Runs one trial.
     *
     * @throws IllegalStateException if it failed
     */
    Answer measure(String variant) throws IOException {
        requests.println(variant);
        Answer answer = answer();
        if (answer.error() != null) {
            throw new IllegalStateException("%s %s: %s".formatted(type.label(), variant, answer.error()));
        }
        return answer;
    }

    private Answer answer() throws IOException {
        String line = answers.readLine();
        if (line == null) {
            throw new IllegalStateException("the process of " + type.label() + " has ended");
        }
        return Worker.JSON.readValue(line, Answer.class);
    }

    @Override
    public void close() {
        requests.close();
        try {
            if (!process.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

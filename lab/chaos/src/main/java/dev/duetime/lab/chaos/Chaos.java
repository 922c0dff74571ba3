package dev.duetime.lab.chaos;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.node.NodeMain;
import dev.duetime.lab.chaos.scenario.Arguments;
import dev.duetime.lab.chaos.scenario.Scenario;
import dev.duetime.lab.chaos.scenario.TodoScenario;
import dev.duetime.lab.chaos.scenario.Trial;
import dev.duetime.lab.chaos.server.Commands;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The chaos program. It runs nodes that schedule and deliver, inflicts faults on them, and judges them by their logs.
 * The exit code is 0 if every claim holds, 1 if one does not, and 2 if the trial could not be carried out.
 */
public final class Chaos {
    /** The longest time that a trial takes after its faults. */
    private static final Duration AFTERWARDS = Duration.ofMinutes(6);

    private static final PrintStream OUT = System.out;

    private Chaos() {}

    /** Runs a trial; see {@link Arguments#USAGE}. */
    public static void main(String[] args) {
        Arguments arguments;
        try {
            arguments = Arguments.parse(args);
        } catch (IllegalArgumentException e) {
            OUT.println(e.getMessage());
            OUT.print(Arguments.USAGE);
            System.exit(2);
            return;
        }
        endAfter(Duration.ofSeconds(arguments.load().seconds()).plus(AFTERWARDS));
        try {
            System.exit(holds(arguments) ? 0 : 1);
        } catch (Exception e) {
            OUT.println("the trial could not be carried out: " + e);
            OUT.println("if no server can be started here, name a running one by --url");
            System.exit(2);
        }
    }

    private static boolean holds(Arguments arguments) throws Exception {
        return TodoScenario.of(arguments.scenario()).isPresent()
                ? runTodos(arguments).stream().allMatch(Claim::holds)
                : run(arguments).holds();
    }

    /** Runs a trial of todos and prints its results. */
    static List<Claim> runTodos(Arguments arguments) throws Exception {
        TodoScenario scenario = TodoScenario.of(arguments.scenario()).orElseThrow();
        OUT.printf("# seed %d%n", arguments.seed());
        Path logs = Trial.newLogs(arguments);
        double rate = (double) arguments.load().rate() / arguments.load().nodes();
        List<Claim> claims;
        try (Trial trial = new Trial(arguments, logs, rate, scenario.program())) {
            trial.say("waiting for %d nodes on %s".formatted(arguments.load().nodes(), trial.scratch.version()));
            trial.awaitBalance();
            claims = scenario.run(trial);
        }
        claims.forEach(each -> OUT.println(each.line()));
        boolean holds = claims.stream().allMatch(Claim::holds);
        OUT.printf("%n%s%n", holds ? "HOLDS" : "DOES NOT HOLD");
        tidy(arguments, logs, holds);
        return claims;
    }

    /** Runs a trial and prints its results. */
    static Report run(Arguments arguments) throws Exception {
        OUT.printf("# seed %d%n", arguments.seed());
        Path logs = Trial.newLogs(arguments);
        Report report = run(arguments, logs);
        report.print(OUT);
        if (arguments.json().isPresent()) {
            Files.writeString(arguments.json().get(), report.toJson());
        }
        tidy(arguments, logs, report.holds());
        return report;
    }

    private static void tidy(Arguments arguments, Path logs, boolean holds) throws IOException {
        if (holds && arguments.logs().isEmpty()) {
            delete(logs);
        } else {
            OUT.println("# logs are in " + logs);
        }
    }

    private static Report run(Arguments arguments, Path logs) throws Exception {
        Scenario scenario = Scenario.of(arguments.scenario());
        try (Trial trial = new Trial(arguments, logs, scenario.ratePerNode(arguments.load()), NodeMain.class)) {
            String database = trial.scratch.version();
            trial.say("waiting for the nodes on " + database);
            trial.awaitBalance();
            Commands.pause(arguments.load().delay());
            trial.begin(Trial.TROUBLE);
            scenario.run(trial);
            trial.calm();
            int pending = trial.quiet();
            return Report.of(arguments, database, trial.history(), pending);
        }
    }

    /** No trial may run for ever, whatever hangs. */
    private static void endAfter(Duration limit) {
        Thread watchdog = new Thread(
                () -> {
                    Commands.pause(limit);
                    OUT.println("the trial is not over after " + limit);
                    System.exit(2);
                },
                "watchdog");
        watchdog.setDaemon(true);
        watchdog.start();
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            List<Path> filesFirst = all.sorted(Comparator.reverseOrder()).toList();
            for (Path each : filesFirst) {
                Files.delete(each);
            }
        }
    }
}

package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.scenario.KeyedScenario.Trouble;
import java.util.List;
import java.util.Optional;

/** A trial of todo queues, and what it claims. */
public interface TodoScenario {

    /** Returns the program of its nodes. */
    Class<?> program();

    /** Runs the nodes, waits until no work is left, and judges by their logs. */
    List<Claim> run(Trial trial) throws Exception;

    /** Returns the scenario of that name; empty if it is no scenario of todos. */
    static Optional<TodoScenario> of(String name) {
        return switch (name) {
            case "todos" -> Optional.of(new KeyedScenario(Trouble.NONE));
            case "todos-killed" -> Optional.of(new KeyedScenario(Trouble.KILLS));
            case "limits" -> Optional.of(new KeyedScenario(Trouble.LIMITS));
            case "deadly-todo" -> Optional.of(new KeyedScenario(Trouble.DEADLY_TODO));
            case "small-pools" -> Optional.of(new KeyedScenario(Trouble.SMALL_POOLS));
            case "merges" -> Optional.of(new MergingScenario());
            default -> Optional.empty();
        };
    }
}

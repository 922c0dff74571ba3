package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.run.Arguments;
import java.util.List;

/** A subject to measure, in several variants. */
public interface Scenario {

    /** Returns the variants of it that a contestant takes part in. */
    List<String> variants(Arguments arguments, ContestantType type);

    /** Runs one trial and notes what it measured. */
    void measure(Trial trial) throws Exception;

    /** Returns whether contestants warm up first, by firing timers. True by default. */
    default boolean warmsUp() {
        return true;
    }

    /** Returns the metric that the picture shows. */
    default String pictured() {
        return "per_second";
    }

    static Scenario named(String name) {
        return switch (name) {
            case "fire" -> new FireScenario();
            case "schedule" -> new ScheduleScenario();
            case "sustained" -> new SustainedScenario();
            case "lateness" -> new LatenessScenario();
            case "backlog" -> new BacklogScenario();
            case "nodes" -> new NodesScenario();
            case "idle" -> new IdleScenario();
            case "slow-publisher" -> new SlowPublisherScenario();
            case "todos" -> new TodosScenario();
            case "expired" -> new ExpiredScenario();
            case "fairness" -> new FairnessScenario();
            case "prompt" -> new PromptScenario();
            case "history" -> new HistoryScenario();
            case "bloat" -> new BloatScenario();
            case "operators" -> new OperatorsScenario();
            default -> throw new IllegalArgumentException("scenario must be one of " + names() + " but was " + name);
        };
    }

    static List<String> names() {
        return List.of(
                "fire",
                "schedule",
                "sustained",
                "lateness",
                "backlog",
                "bloat",
                "history",
                "nodes",
                "idle",
                "slow-publisher",
                "expired",
                "fairness",
                "operators",
                "prompt",
                "todos");
    }
}

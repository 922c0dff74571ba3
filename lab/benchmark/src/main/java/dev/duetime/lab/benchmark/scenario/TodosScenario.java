package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.todo.TodoMode;
import java.util.List;

/**
 * A scenario that runs todos which are all due and do nothing, until each is settled. In one variant all run at once.
 * In another one there are 1,000 keys, and todos of one key run one at a time; only Duetime can do that. Its peers run
 * jobs, and the
 * plain loop settles rows. Contestants that need not keep ended work delete it.
 */
final class TodosScenario implements Scenario {
    private static final int TODOS = 100_000;
    private static final String PARALLEL = "parallel";
    private static final String BY_KEY = "by-key";

    /** Returns the mode of a variant. */
    static TodoMode mode(String variant) {
        return variant.equals(BY_KEY) ? TodoMode.PARALLEL_BY_KEY : TodoMode.PARALLEL;
    }

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return type == ContestantType.RAW ? List.of(PARALLEL) : List.of(PARALLEL, BY_KEY);
    }

    @Override
    public void measure(Trial trial) throws Exception {
        trial.measured(
                "per_second",
                FireScenario.fire(
                                trial,
                                trial.arguments().timersOr(TODOS),
                                !trial.type().can(false))
                        .fired());
    }
}

package dev.duetime.lab.benchmark;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.FreshDatabases;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results;
import dev.duetime.lab.benchmark.scenario.FireScenario;
import dev.duetime.lab.benchmark.scenario.Pilot;
import dev.duetime.lab.benchmark.scenario.Scenario;
import dev.duetime.lab.benchmark.scenario.Trial;
import java.util.List;

/** The trials of one contestant, in this process. It warms up first, and finds its best settings. */
final class ContestantRuns {
    /** The number of timers that are fired to compare settings. */
    private static final int PILOT_TIMERS = 20_000;

    private static final int PILOTS = 5;
    /** The number of timers a second that every contestant can schedule. */
    private static final double UNKNOWN_LOADED = 200;

    private final Arguments arguments;
    private final FreshDatabases databases;
    private final ContestantType type;
    private final Scenario scenario;
    private final Results results = new Results();
    private final Pilot best;

    ContestantRuns(Arguments arguments, FreshDatabases databases, ContestantType type) throws Exception {
        this.arguments = arguments;
        this.databases = databases;
        this.type = type;
        scenario = Scenario.named(arguments.scenario());
        best = pilot();
    }

    String settings() {
        return type == ContestantType.DUETIME ? "defaults" : best.tuning().toString();
    }

    List<String> variants() {
        return scenario.variants(arguments, type);
    }

    /** Runs one trial, and returns all results so far. */
    Results measure(String variant) throws Exception {
        Trial.Setting setting = new Trial.Setting(databases, arguments, type, best, variant);
        try (Trial trial = new Trial(setting, results)) {
            scenario.measure(trial);
        }
        return results;
    }

    /**
     * All contestants warm up equally often, even without a choice of settings. A run that is not serious has no
     * warm-up.
     */
    private Pilot pilot() throws Exception {
        boolean serious = arguments.timersOr(PILOT_TIMERS) >= PILOT_TIMERS;
        if (!serious || !scenario.warmsUp()) {
            return new Pilot(type.tunings().get(0), 0, UNKNOWN_LOADED);
        }
        Pilot fastest = new Pilot(type.tunings().get(0), -1, UNKNOWN_LOADED);
        for (int i = 0; i < Math.max(PILOTS, type.tunings().size()); i++) {
            Pilot settings = new Pilot(type.tunings().get(i % type.tunings().size()), 0, 1);
            String variant = FireScenario.retention(type).get(0);
            Trial.Setting setting = new Trial.Setting(databases, arguments, type, settings, variant);
            try (Trial trial = new Trial(setting, new Results())) {
                Pilot pilot = FireScenario.fire(trial, PILOT_TIMERS);
                fastest = pilot.fired() > fastest.fired() ? pilot : fastest;
            }
        }
        return fastest;
    }
}

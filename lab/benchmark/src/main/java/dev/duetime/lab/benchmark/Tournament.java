package dev.duetime.lab.benchmark;

import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.database.FreshDatabases;
import dev.duetime.lab.benchmark.report.Report;
import dev.duetime.lab.benchmark.run.Arguments;
import dev.duetime.lab.benchmark.run.Results;
import dev.duetime.lab.benchmark.scenario.FireScenario;
import dev.duetime.lab.benchmark.scenario.Pilot;
import dev.duetime.lab.benchmark.scenario.Scenario;
import dev.duetime.lab.benchmark.scenario.Trial;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A series of runs of all contestants. First each contestant runs with all its possible settings, to warm up and to
 * find the best ones. Then each is measured as often as the arguments say. A different contestant begins each
 * repetition, so that drift of the machine affects all.
 */
final class Tournament {
    /** The number of timers that are fired to compare settings. */
    private static final int PILOT_TIMERS = 20_000;

    private static final int PILOTS = 4;
    /** The number of timers a second that every contestant can schedule. */
    private static final double UNKNOWN_LOADED = 200;

    private final Arguments arguments;
    private final FreshDatabases databases;
    private final PrintStream progress;
    private final Map<ContestantType, Pilot> pilots = new EnumMap<>(ContestantType.class);

    Tournament(Arguments arguments, FreshDatabases databases, PrintStream progress) {
        this.arguments = arguments;
        this.databases = databases;
        this.progress = progress;
    }

    Results run() throws Exception {
        List<ContestantType> contestants = new ArrayList<>();
        for (ContestantType type : arguments.contestants()) {
            if (type.runsOn(arguments.database())) {
                contestants.add(type);
                pilots.put(type, pilot(type));
                progress.printf("%s: %s%n", type.label(), settings(type));
            } else {
                progress.printf(
                        "%s does not run on %s%n",
                        type.label(), arguments.database().label());
            }
        }
        Scenario scenario = Scenario.named(arguments.scenario());
        Results results = new Results();
        for (int repetition = 1; repetition <= arguments.repeats(); repetition++) {
            progress.printf("repetition %d of %d%n", repetition, arguments.repeats());
            repeat(scenario, contestants, results);
            Collections.rotate(contestants, -1);
        }
        return results;
    }

    /** Returns the chosen settings. */
    Map<String, String> tunings() {
        Map<String, String> tunings = new LinkedHashMap<>();
        pilots.forEach((type, pilot) -> tunings.put(type.label(), settings(type)));
        return tunings;
    }

    private String settings(ContestantType type) {
        return type == ContestantType.DUETIME ? "defaults" : best(type).tuning().toString();
    }

    private Pilot best(ContestantType type) {
        return Objects.requireNonNull(pilots.get(type));
    }

    private void repeat(Scenario scenario, List<ContestantType> contestants, Results results) throws Exception {
        Set<String> variants = new LinkedHashSet<>();
        contestants.forEach(type -> variants.addAll(scenario.variants(arguments, type)));
        if (!variants.containsAll(arguments.variants())) {
            throw new IllegalArgumentException(
                    "variants must be among %s but were %s".formatted(variants, arguments.variants()));
        }
        variants.removeIf(variant ->
                !arguments.variants().isEmpty() && !arguments.variants().contains(variant));
        for (String variant : variants) {
            for (ContestantType type : contestants) {
                if (scenario.variants(arguments, type).contains(variant)) {
                    Trial.Setting setting = new Trial.Setting(databases, arguments, type, best(type), variant);
                    try (Trial trial = new Trial(setting, results)) {
                        scenario.measure(trial);
                    }
                    results.last(type.label(), variant, scenario.pictured())
                            .ifPresent(value ->
                                    progress.printf("  %s %s: %s%n", type.label(), variant, Report.number(value)));
                }
            }
        }
    }

    /**
     * All contestants warm up equally often, even without a choice of settings. A run that is not serious has no
     * warm-up.
     */
    private Pilot pilot(ContestantType type) throws Exception {
        boolean serious = arguments.timersOr(PILOT_TIMERS) >= PILOT_TIMERS;
        if (!serious || !Scenario.named(arguments.scenario()).warmsUp()) {
            return new Pilot(type.tunings().get(0), 0, UNKNOWN_LOADED);
        }
        Pilot best = new Pilot(type.tunings().get(0), -1, UNKNOWN_LOADED);
        for (int i = 0; i < Math.max(PILOTS, type.tunings().size()); i++) {
            Pilot settings = new Pilot(type.tunings().get(i % type.tunings().size()), 0, 1);
            Trial.Setting setting = new Trial.Setting(
                    databases,
                    arguments,
                    type,
                    settings,
                    FireScenario.retention(type).get(0));
            try (Trial trial = new Trial(setting, new Results())) {
                Pilot pilot = FireScenario.fire(trial, PILOT_TIMERS);
                best = pilot.fired() > best.fired() ? pilot : best;
            }
        }
        return best;
    }
}

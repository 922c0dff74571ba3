package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.LatenessHistogram;
import dev.duetime.lab.benchmark.database.DatabaseKind;
import dev.duetime.lab.benchmark.run.Arguments;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A scenario that schedules and delivers at the same time, before, during and after something that makes it hard for
 * PostgreSQL: transactions that keep it from cleaning up, more load than it carries, or a long time. Autovacuum has the
 * settings that the documentation advises.
 */
final class BloatScenario implements Scenario {
    /** The control: what a flat-out run loses by itself, because tables grow and checkpoints begin. */
    private static final String UNDISTURBED = "undisturbed-flat-out";

    private static final String XMIN_1000 = "xmin-1000/s";
    private static final String XMIN_10000 = "xmin-10000/s";
    private static final String XMIN_FLAT_OUT = "xmin-flat-out";
    private static final String IDLE = "idle-transaction";
    private static final String READERS = "repeatable-read";
    private static final String OVERLOAD = "overload";
    private static final String HALF_LOAD = "half-load";

    private static final Map<String, Integer> RATES =
            Map.of(XMIN_1000, 1_000, XMIN_10000, 10_000, IDLE, 1_000, READERS, 1_000);

    private static final Map<String, Integer> SECONDS = Map.of(OVERLOAD, 300, HALF_LOAD, 600);
    private static final int MOST_SECONDS = 180;

    /** The time before and after, as a part of the time during. */
    private static final int PART = 3;

    private static final int MOST_BEFORE = 60;
    private static final double OVER = 1.5;
    private static final double HALF = 0.5;

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        boolean takesPart = arguments.database() == DatabaseKind.POSTGRES
                && Set.of(ContestantType.DUETIME, ContestantType.DB_SCHEDULER).contains(type);
        return takesPart
                ? List.of(UNDISTURBED, XMIN_1000, XMIN_10000, XMIN_FLAT_OUT, IDLE, READERS, OVERLOAD, HALF_LOAD)
                : List.of();
    }

    @Override
    public String pictured() {
        return "during_per_second";
    }

    @Override
    public void measure(Trial trial) throws Exception {
        String variant = trial.variant();
        int during = trial.arguments().secondsOr(SECONDS.getOrDefault(variant, MOST_SECONDS));
        int around = Math.max(1, Math.min(MOST_BEFORE, during / PART));
        LatenessHistogram histogram = new LatenessHistogram();
        Deliveries deliveries = Deliveries.timed(histogram);
        Contestant contestant = trial.open(deliveries, false);
        trial.vacuumOften();
        trial.settle();
        contestant.start();
        Integer rate = RATES.get(variant);
        try (Load load = new Load(contestant, deliveries, rate == null ? Load.FLAT_OUT : rate)) {
            load.start();
            Phases phases = new Phases(trial, load, deliveries, histogram);
            phases.warmUp(around);
            if (variant.equals(HALF_LOAD)) {
                double carried = phases.carried(around);
                load.rate(HALF * carried);
                phases.drain();
            }
            Phases.Phase before = phases.measure("before", around);
            if (variant.equals(OVERLOAD)) {
                load.rate(OVER * before.perSecond());
            }
            Disturbance disturbance = disturbance(trial, contestant);
            try {
                phases.measure("during", during);
            } finally {
                disturbance.close();
            }
            if (variant.equals(OVERLOAD)) {
                load.rate(HALF * before.perSecond());
            }
            phases.measureRecovery(before, around);
        }
    }

    private static Disturbance disturbance(Trial trial, Contestant contestant) throws SQLException {
        return switch (trial.variant()) {
            case XMIN_1000, XMIN_10000, XMIN_FLAT_OUT -> Disturbance.holdsSnapshot(trial);
            case IDLE -> Disturbance.isIdle(trial);
            case READERS ->
                Disturbance.reads(trial, contestant.pending().tables().get(0).name());
            default -> Disturbance.none();
        };
    }
}

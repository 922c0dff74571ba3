package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.run.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A scenario that delivers due timers in an almost empty table, and in one that holds many ended timers and a tenth as
 * many for later. What a delivery costs should not depend on them. The number of ended timers is that of the arguments.
 */
final class HistoryScenario implements Scenario {
    private static final int ENDED = 100_000_000;
    private static final int PENDING_PART = 10;

    private static final int MOST_DUE = 200_000;

    private static final int SECONDS = 120;
    private static final String EMPTY = "empty";
    private static final String WITH_ENDED = "-ended";

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        if (type != ContestantType.DUETIME) {
            return List.of();
        }
        String withEnded = arguments.timersOr(ENDED) + WITH_ENDED;
        return arguments.keep() == null ? List.of(EMPTY, withEnded) : List.of(withEnded);
    }

    @Override
    public void measure(Trial trial) throws Exception {
        int ended = trial.arguments().timersOr(ENDED);
        int count = Math.min(MOST_DUE, ended);
        Deliveries deliveries = Deliveries.counted();
        Contestant contestant = trial.open(deliveries, true);
        boolean isEmpty = trial.variant().equals(EMPTY);
        if (isEmpty) {
            trial.fill(contestant, 1);
        } else if (!trial.hasEnded()) {
            trial.fill(contestant, Math.max(1, ended / PENDING_PART));
            trial.fillEnded(ended);
        }
        trial.settle();
        BacklogScenario.measureLookUp(trial, contestant);
        trial.load(contestant, Entry.list(count, Instant.now().minusSeconds(60), Duration.ofSeconds(50)));
        trial.settle();
        Duration limit = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        trial.measured("per_second", Firing.perSecond(List.of(contestant), deliveries, count, limit));
    }
}

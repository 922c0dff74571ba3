package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.run.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A scenario whose publisher takes 20 ms for a call, or 20 ms for each envelope, also with several calls at once. */
final class SlowPublisherScenario implements Scenario {
    private static final int TIMERS = 200_000;
    private static final int SECONDS = 20;
    private static final Duration SLOW = Duration.ofMillis(20);
    private static final String PER_BATCH = "20ms-per-batch";
    private static final String PER_ENVELOPE = "20ms-per-envelope";
    private static final String CALLS = "-calls";
    private static final int[] CONCURRENCY = {8, 32};

    /** Peers hand over one timer at a time. For them a batch is one envelope. */
    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        if (type.isPeer()) {
            return List.of(PER_ENVELOPE);
        }
        List<String> variants = new ArrayList<>(List.of(PER_BATCH, PER_ENVELOPE));
        if (type == ContestantType.DUETIME) {
            for (int calls : CONCURRENCY) {
                variants.add(PER_ENVELOPE + "-" + calls + CALLS);
            }
        }
        return variants;
    }

    /** Returns how many calls of the publisher the variant makes at once. */
    static int calls(String variant) {
        return variant.endsWith(CALLS)
                ? Integer.parseInt(variant.substring(PER_ENVELOPE.length() + 1, variant.length() - CALLS.length()))
                : 1;
    }

    @Override
    public void measure(Trial trial) throws Exception {
        boolean batch = trial.variant().equals(PER_BATCH);
        int timers = trial.arguments().timersOr(TIMERS);
        int count = trial.type().affordable(batch ? timers : Math.max(1, timers / 4));
        Deliveries deliveries = Deliveries.slow(batch ? SLOW : Duration.ZERO, batch ? Duration.ZERO : SLOW);
        Contestant contestant = trial.open(deliveries, !trial.type().can(false));
        trial.load(contestant, Entry.list(count, Instant.now().minusSeconds(60), Duration.ofSeconds(50)));
        trial.settle();
        Duration limit = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        trial.measured("per_second", Firing.perSecond(List.of(contestant), deliveries, count, limit));
    }
}

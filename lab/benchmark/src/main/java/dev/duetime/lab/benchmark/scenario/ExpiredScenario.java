package dev.duetime.lab.benchmark.scenario;

import dev.duetime.lab.benchmark.contestant.Contestant;
import dev.duetime.lab.benchmark.contestant.ContestantType;
import dev.duetime.lab.benchmark.contestant.Deliveries;
import dev.duetime.lab.benchmark.contestant.Entry;
import dev.duetime.lab.benchmark.run.Arguments;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * A scenario that ends timers whose deadline has passed. One listener only counts them, another one wants each of them.
 * At the same time it delivers as many timers whose deadline is in the future: to a publisher that does nothing, and to
 * one that takes as long for a batch as a broker may. Peers and the plain loop have no deadlines.
 */
final class ExpiredScenario implements Scenario {
    private static final int TIMERS = 200_000;
    private static final int SECONDS = 120;
    private static final String EXPIRED = "expired-";
    private static final String EACH = "expired-each-";
    private static final String DELIVERED = "delivered-";
    private static final String BY_BROKER = "delivered-20ms-per-batch-";
    private static final Duration BROKER = Duration.ofMillis(20);

    @Override
    public List<String> variants(Arguments arguments, ContestantType type) {
        return type == ContestantType.DUETIME
                ? FireScenario.retention(type).stream()
                        .flatMap(retention ->
                                Stream.of(DELIVERED, BY_BROKER, EACH, EXPIRED).map(each -> each + retention))
                        .toList()
                : List.of();
    }

    @Override
    public void measure(Trial trial) throws Exception {
        boolean expired = trial.variant().startsWith(EXPIRED);
        boolean each = trial.variant().startsWith(EACH);
        boolean byBroker = trial.variant().startsWith(BY_BROKER);
        String retention = trial.variant().substring(trial.variant().lastIndexOf('-') + 1);
        int count = trial.arguments().timersOr(TIMERS);
        Deliveries deliveries = Deliveries.ofExpired(byBroker ? BROKER : Duration.ZERO, each);
        Contestant contestant = trial.open(deliveries, FireScenario.keeps(retention));
        trial.load(contestant, Entry.list(count, Instant.now().minusSeconds(60), Duration.ofSeconds(50)));
        trial.expireAfterDue(expired ? Duration.ofSeconds(1) : Duration.ofDays(1));
        trial.settle();
        Duration limit = Duration.ofSeconds(trial.arguments().secondsOr(SECONDS));
        double perSecond = Firing.perSecond(List.of(contestant), deliveries, count, limit);
        trial.measured("per_second", perSecond);
        if (expired && !each) {
            trial.last(DELIVERED + retention, "per_second")
                    .ifPresent(delivered -> trial.measured("of_delivered", perSecond / delivered));
            trial.last(BY_BROKER + retention, "per_second")
                    .ifPresent(delivered -> trial.measured("of_delivered_by_broker", perSecond / delivered));
        }
    }
}

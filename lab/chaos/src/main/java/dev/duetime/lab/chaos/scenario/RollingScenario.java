package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.log.Measures.Lateness;
import dev.duetime.lab.chaos.node.Node;
import dev.duetime.lab.chaos.server.Commands;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A scenario that restarts one node after the other, as a deploy does: SIGTERM, {@code close()}, start. */
final class RollingScenario implements Scenario {
    private static final Duration CLOSE = Duration.ofSeconds(20);
    private static final Duration BETWEEN = Duration.ofSeconds(1);
    private static final long WITHOUT_OWNER_MILLIS = 1_000;

    /** One node is always away. */
    @Override
    public double ratePerNode(Arguments.Load load) {
        return (double) load.rate() / (load.nodes() - 1);
    }

    @Override
    public void run(Trial trial) {
        long end = System.nanoTime() + Duration.ofSeconds(trial.load.seconds()).toNanos();
        do {
            for (int place = 0; place < trial.cluster.size(); place++) {
                Node node = trial.cluster.node(place);
                Set<Integer> shards = trial.watch.shardsOf(node.name());
                long from = Log.now();
                boolean closed = node.terminate(CLOSE);
                trial.log.append(new Fault(from, Log.now(), Measures.CLOSE, node.name(), shards));
                trial.say("%s closed in %d ms".formatted(node.name(), (Log.now() - from) / 1_000));
                if (!closed) {
                    throw new IllegalStateException(node.name() + " did not close within " + CLOSE);
                }
                trial.cluster.restart(place);
                trial.awaitBalance();
                Commands.pause(BETWEEN);
            }
        } while (System.nanoTime() < end);
    }

    @Override
    public List<Claim> claims(Arguments.Load load, History history, Measures measures) {
        long from = history.phase(Trial.TROUBLE).orElseThrow();
        long to = history.phase(Trial.CALM).orElseThrow();
        Lateness lateness = measures.lateness(from, to);
        int accepted = measures.acceptedPerSecond(from, to);
        return List.of(
                new Claim(
                        "timers scheduled a second",
                        String.valueOf(accepted),
                        "at least " + load.rate(),
                        accepted >= load.rate()),
                Claim.atMost(
                        "longest time that a shard had no owner",
                        measures.longestWithoutOwnerMillis(from, to),
                        WITHOUT_OWNER_MILLIS,
                        "ms"),
                new Claim("p99 lateness during the roll", "%.1f ms".formatted(lateness.p99Millis()), "told", true));
    }
}

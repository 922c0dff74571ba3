package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.Entry.Delivered;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.node.Cluster;
import dev.duetime.lab.chaos.node.Node;
import dev.duetime.lab.chaos.server.Commands;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * A scenario that replaces the nodes of the previous release by nodes of this one, without stopping. The first new node
 * migrates the schema while old nodes run on it. Then a node of each release is killed, so that the other release takes
 * over its shards; one node goes back to the old release, which finds the new schema; and the rest is replaced.
 */
final class UpgradeScenario implements Scenario {
    static final String NAME = "upgrade";

    private static final String MIXED = "mixed";
    private static final String ALL_NEW = "all-new";
    /** Each release delivers at least this part of the timers while both run: a tenth. */
    private static final int SHARE = 10;

    private static final Duration CLOSE = Duration.ofSeconds(20);
    private static final Duration SHORT = Duration.ofSeconds(2);

    /** One node is always away. */
    @Override
    public double ratePerNode(Arguments.Load load) {
        return (double) load.rate() / (load.nodes() - 1);
    }

    @Override
    public void run(Trial trial) {
        int last = trial.cluster.size() - 1;
        replace(trial, 0, false);
        trial.begin(MIXED);
        Commands.pause(Duration.ofSeconds(trial.load.seconds()).dividedBy(2));
        kill(trial, last, true);
        kill(trial, 0, false);
        replace(trial, 0, true);
        replace(trial, 0, false);
        Commands.pause(Duration.ofSeconds(trial.load.seconds()).dividedBy(2));
        for (int place = 1; place <= last; place++) {
            replace(trial, place, false);
        }
        trial.begin(ALL_NEW);
    }

    /** Closes a node, and starts one of a release in its place. */
    private static void replace(Trial trial, int place, boolean byPrevious) {
        Node node = trial.cluster.node(place);
        Set<Integer> shards = trial.watch.shardsOf(node.name());
        long from = Log.now();
        boolean closed = node.terminate(CLOSE);
        trial.log.append(new Fault(from, Log.now(), Measures.CLOSE, node.name(), shards));
        if (!closed) {
            throw new IllegalStateException(node.name() + " did not close within " + CLOSE);
        }
        restart(trial, place, byPrevious, node.name() + " was closed");
    }

    /** Kills a node, and starts one of the same release in its place once others have its shards. */
    private static void kill(Trial trial, int place, boolean isPrevious) {
        Node node = trial.cluster.node(place);
        trial.log.append(KillNode.kill(trial, node));
        Commands.pause(trial.load.lease().multipliedBy(2));
        restart(trial, place, isPrevious, node.name() + " was killed");
    }

    private static void restart(Trial trial, int place, boolean onPrevious, String why) {
        trial.cluster.restart(place, onPrevious);
        trial.awaitBalance();
        trial.say("%s; now run %s".formatted(why, trial.cluster.names()));
        Commands.pause(SHORT);
    }

    @Override
    public List<Claim> claims(Arguments.Load load, History history, Measures measures) {
        long from = history.phase(MIXED).orElseThrow();
        long to = history.phase(ALL_NEW).orElseThrow();
        return List.of(
                delivered("old nodes delivered on the new schema", history, from, to, true),
                delivered("new nodes delivered beside old ones", history, from, to, false));
    }

    /** Nodes that cannot use the schema still deliver what they had read before, so a few deliveries prove nothing. */
    private static Claim delivered(String what, History history, long from, long to, boolean old) {
        List<String> nodes = history.deliveries().stream()
                .filter(each -> each.at() > from && each.at() < to)
                .map(Delivered::node)
                .toList();
        long count = nodes.stream()
                .filter(node -> node.startsWith(Cluster.OLD) == old)
                .count();
        long least = Math.max(1, nodes.size() / SHARE);
        return new Claim(what, String.valueOf(count), "at least " + least, count >= least);
    }
}

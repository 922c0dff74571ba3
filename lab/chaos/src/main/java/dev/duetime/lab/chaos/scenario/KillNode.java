package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.node.Cluster;
import dev.duetime.lab.chaos.node.Node;
import java.time.Duration;
import java.util.Set;

/** A fault that kills a node with SIGKILL and starts another one in its place, at once or some seconds later. */
final class KillNode implements Torment {
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(5);

    @Override
    public void inflict(Scene scene) {
        Cluster cluster = scene.trial().cluster;
        int place = cluster.randomPlace(scene.random());
        Duration absence = scene.upTo(LONGEST_ABSENCE);
        if (place >= 0) {
            scene.log(kill(scene.trial(), cluster.node(place)));
            scene.later(absence, () -> cluster.restart(place));
        }
    }

    static Fault kill(Trial trial, Node node) {
        Set<Integer> shards = trial.watch.shardsOf(node.name());
        long from = Log.now();
        node.kill();
        return new Fault(from, Log.now(), Measures.KILL, node.name(), shards);
    }
}

package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.node.Cluster;
import dev.duetime.lab.chaos.node.Node;
import dev.duetime.lab.chaos.node.NodeMain;
import java.time.Duration;

/** A fault that keeps all connections of a node busy, for up to longer than its lease. The node logs it itself. */
final class FillPool implements Torment {

    @Override
    public void inflict(Scene scene) {
        Cluster cluster = scene.trial().cluster;
        int place = cluster.randomPlace(scene.random());
        Duration duration =
                Duration.ofSeconds(1).plus(scene.upTo(scene.trial().load.lease()));
        if (place >= 0) {
            Node node = cluster.node(place);
            node.tell(NodeMain.FILL + duration);
            scene.trial().say("fill of %s, %d ms".formatted(node.name(), duration.toMillis()));
        }
    }
}

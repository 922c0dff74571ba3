package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.node.Cluster;
import dev.duetime.lab.chaos.node.Node;
import java.io.IOException;
import java.time.Duration;

/**
 * A fault that stops a node with SIGSTOP for longer than its lease. When the node resumes, it does not know that time
 * has passed.
 */
final class PauseNode implements Torment {

    @Override
    public void inflict(Scene scene) {
        Cluster cluster = scene.trial().cluster;
        int place = cluster.randomPlace(scene.random());
        Duration lease = scene.trial().load.lease();
        Duration pause = lease.plus(lease.dividedBy(10)).plus(scene.upTo(lease.dividedBy(2)));
        if (place >= 0) {
            Node node = cluster.node(place);
            scene.later(Duration.ZERO, () -> {
                try {
                    scene.log(node.pause(pause));
                } catch (IOException e) {
                    scene.trial().say("%s was not stopped: %s".formatted(node.name(), e));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
    }
}

package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.log.Entry;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.node.Scratch;
import java.sql.SQLException;
import java.util.List;

/** A fault in which the server ends every second connection of the nodes, at any moment. */
final class TerminateBackends implements Torment {

    @Override
    public void inflict(Scene scene) {
        Scratch scratch = scene.trial().scratch;
        long from = Log.now();
        try {
            List<Long> backends = scratch.backends();
            for (long each : backends) {
                if (scene.random().nextBoolean()) {
                    scratch.terminate(each);
                }
            }
        } catch (SQLException e) {
            // One of them had ended by itself, or the server is just being restarted.
            scene.trial().say("not all backends were terminated: " + e.getMessage());
        }
        scene.log(new Fault(from, Log.now(), "terminate", Entry.ALL));
    }
}

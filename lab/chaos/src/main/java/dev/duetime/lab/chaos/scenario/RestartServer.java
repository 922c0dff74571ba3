package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.log.Entry;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.server.Commands;
import dev.duetime.lab.chaos.server.Server;
import java.time.Duration;

/** A fault that kills all processes of the database server and starts it again some seconds later. */
final class RestartServer implements Torment {
    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(3);

    @Override
    public void inflict(Scene scene) {
        Server server = scene.trial().server;
        Duration absence = scene.upTo(LONGEST_ABSENCE);
        if (server.isRestartable()) {
            long from = Log.now();
            server.crash();
            Commands.pause(absence);
            server.revive();
            scene.log(new Fault(from, Log.now(), "restart", Entry.ALL));
        }
    }
}

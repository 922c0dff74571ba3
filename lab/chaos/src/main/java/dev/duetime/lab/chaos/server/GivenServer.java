package dev.duetime.lab.chaos.server;

import java.time.Duration;
import java.util.List;

/** A running server that the user names. It is restarted only with a command that the user gives. */
public final class GivenServer implements Server {
    private static final Duration RESTART = Duration.ofSeconds(60);

    private final String url;
    private final String restartCommand;

    public GivenServer(String url, String restartCommand) {
        this.url = url;
        this.restartCommand = restartCommand;
    }

    @Override
    public String url() {
        return url;
    }

    @Override
    public boolean isRestartable() {
        return !restartCommand.isEmpty();
    }

    @Override
    public void crash() {
        Commands.run(List.of("sh", "-c", restartCommand), RESTART);
    }

    @Override
    public void revive() {
        Commands.awaitAnswer(url, RESTART);
    }

    @Override
    public void close() {
        // The server belongs to the user.
    }
}

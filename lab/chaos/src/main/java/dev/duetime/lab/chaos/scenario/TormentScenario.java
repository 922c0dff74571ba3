package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import dev.duetime.lab.chaos.server.Commands;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A scenario that inflicts all faults, repeatedly, in an order that the seed decides. */
final class TormentScenario implements Scenario {
    /** The faults are drawn like cards, so each comes as often as it is listed here. */
    private static final List<Torment> DECK = List.of(
            new KillNode(),
            new KillNode(),
            new KillNode(),
            new PauseNode(),
            new PauseNode(),
            new TerminateBackends(),
            new TerminateBackends(),
            new FillPool(),
            new RestartServer());

    private static final int THREADS = 8;
    private static final long LONGEST_GAP_MILLIS = 3_000;

    @Override
    public double ratePerNode(Arguments.Load load) {
        return (double) load.rate() / load.nodes();
    }

    @Override
    public void run(Trial trial) throws Exception {
        ScheduledExecutorService later = Executors.newScheduledThreadPool(THREADS, task -> {
            Thread thread = new Thread(task, "torment");
            thread.setDaemon(true);
            return thread;
        });
        Torment.Scene scene = new Torment.Scene(trial, later);
        long end = System.nanoTime() + Duration.ofSeconds(trial.load.seconds()).toNanos();
        List<Torment> cards = new ArrayList<>();
        while (System.nanoTime() < end) {
            if (cards.isEmpty()) {
                cards.addAll(DECK);
                Collections.shuffle(cards, new Random(trial.random.nextLong()));
            }
            cards.remove(0).inflict(scene);
            Commands.pause(Duration.ofMillis(trial.random.nextLong(LONGEST_GAP_MILLIS)));
        }
        later.shutdown();
        Duration longest = trial.load.lease().multipliedBy(2).plusMinutes(1);
        if (!later.awaitTermination(longest.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("torments are not over after " + longest);
        }
    }

    @Override
    public List<Claim> claims(Arguments.Load load, History history, Measures measures) {
        return List.of();
    }
}

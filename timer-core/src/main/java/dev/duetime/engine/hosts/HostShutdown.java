package dev.duetime.engine.hosts;

import dev.duetime.Clock;
import dev.duetime.engine.Engine;
import dev.duetime.engine.NodeFinish;
import dev.duetime.engine.NodeLife;
import dev.duetime.engine.loop.QueueLoops;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.internal.EndSteps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The shutdown of a node with several hosts: all engines end at once, and all together get as long as one would. */
final class HostShutdown {
    private static final Logger LOG = LoggerFactory.getLogger(HostShutdown.class);

    private final Clock clock;
    private final Duration closeTimeout;
    private final Duration longestFinish;

    HostShutdown(Clock clock, Duration closeTimeout, Duration longestFinish) {
        this.clock = clock;
        this.closeTimeout = closeTimeout;
        this.longestFinish = longestFinish;
    }

    /** Closes the engines, and the loops that try to open other ones. */
    void close(Collection<Engine> engines, Collection<Clock.Loop> attempts) {
        // With the flag set no wait would last, and idle loops would look as if they still delivered.
        boolean interrupted = Thread.interrupted();
        try {
            close(engines, attempts, interrupted ? Duration.ZERO : closeTimeout);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void close(Collection<Engine> engines, Collection<Clock.Loop> attempts, Duration limit) {
        List<Engine> closing = new ArrayList<>(engines);
        Map<NodeFinish, Future<?>> finishing = new LinkedHashMap<>();
        EndSteps.all(List.of(
                () -> each(closing, engine -> engine.life().beginClose()),
                () -> each(List.copyOf(attempts), attempt -> attempt.close(Duration.ZERO)),
                () -> interrupt(closing, clock.nanoTime() + limit.toNanos()),
                // A host that is away delays only its own end.
                () -> closing.sort(Comparator.comparing(Engine::isAway)),
                () -> end(closing, clock.nanoTime() + NodeLife.AFTER_INTERRUPT.toNanos(), finishing),
                () -> await(finishing, clock.nanoTime() + longestFinish.toNanos())));
    }

    private static void interrupt(List<Engine> closing, long deadlineNanos) {
        each(closing, engine -> engine.life().interrupt(deadlineNanos));
    }

    private static void end(List<Engine> closing, long deadlineNanos, Map<NodeFinish, Future<?>> finishing) {
        each(closing, engine -> {
            NodeLife life = engine.life();
            QueueLoops.Ended ended = new QueueLoops.Ended();
            EndSteps.all(List.of(
                    () -> life.end(deadlineNanos, ended),
                    () -> finishing.put(life.finish(), life.finish().begin(ended))));
        });
    }

    private static void await(Map<NodeFinish, Future<?>> finishing, long deadlineNanos) {
        each(List.copyOf(finishing.entrySet()), each -> each.getKey().await(each.getValue(), deadlineNanos));
    }

    /** Runs the action for each, even if it fails for another one. Logs exceptions, and throws an error at the end. */
    private static <T> void each(List<T> all, Consumer<T> action) {
        EndSteps.each(all, one -> {
            try {
                action.accept(one);
            } catch (RuntimeException e) {
                LOG.error(
                        "a host could not be closed in good order; its shards come free with their leases",
                        ErrorText.traceOf(e));
            }
        });
    }
}

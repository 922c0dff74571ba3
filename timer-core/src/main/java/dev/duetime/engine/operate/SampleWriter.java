package dev.duetime.engine.operate;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.admin.NodeSample;
import dev.duetime.engine.report.DeliveryRing;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.store.ScheduleStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer of samples: how much this node delivers, every five seconds while somebody watches. Otherwise it writes
 * nothing. A sample that cannot be written is left out. Used by one thread, except {@link #watchUntil}.
 */
public final class SampleWriter {
    private static final Logger LOG = LoggerFactory.getLogger(SampleWriter.class);
    private static final Duration EVERY = Duration.ofSeconds(5);
    /** No page asks for longer. A longer time is wrong and counts as if nobody watched. */
    private static final Duration FURTHEST = Duration.ofMinutes(2);
    /** Nodes get a new name when they start, so their rows stay. */
    private static final Duration KEPT = Duration.ofHours(1);

    private final ScheduleStore store;
    private final Clock clock;
    private final String nodeId;
    private final List<Source> sources = new ArrayList<>();
    private volatile Instant until = Instant.MIN;

    private long nextNanos;
    private boolean watched;

    /** Creates the writer of a node. */
    public SampleWriter(ScheduleStore store, Clock clock, String nodeId) {
        this.store = store;
        this.clock = clock;
        this.nodeId = nodeId;
        nextNanos = clock.nanoTime();
    }

    /** Adds a queue that this node delivers. Must be called before the first turn. */
    public void add(String queue, DeliveryRing delivered, IntSupplier inDelivery) {
        sources.add(new Source(queue, delivered, inDelivery));
    }

    /** Notes until when somebody watches. Returns whether nobody did before. */
    public boolean watchUntil(Instant time) {
        boolean begins = !isWatched() && time.isAfter(clock.now()) && !sources.isEmpty();
        until = time;
        return begins;
    }

    boolean isWatched() {
        Instant now = clock.now();
        return until.isAfter(now) && !until.isAfter(now.plus(FURTHEST)) && !sources.isEmpty();
    }

    /** Writes, if it is time to and somebody watches. Returns when to call again. */
    Instant run() {
        if (!isWatched()) {
            watched = false;
            return Instant.MAX;
        }
        long began = clock.nanoTime();
        if (began - nextNanos >= 0) {
            nextNanos = began + EVERY.toNanos();
            write(clock.now());
        }
        return clock.now().plusNanos(Math.max(0, nextNanos - clock.nanoTime()));
    }

    private void write(Instant now) {
        List<NodeSample> samples = sources.stream()
                .map(each -> each.delivered.sample(each.queue, nodeId, each.inDelivery.getAsInt(), now))
                .toList();
        try {
            if (!watched) {
                store.admin().forgetSamples(now.minus(KEPT));
                watched = true;
            }
            store.admin().putSamples(samples);
        } catch (StoreException e) {
            LOG.debug("the samples of this node could not be written: {}", ErrorText.of(e));
        }
    }

    private record Source(String queue, DeliveryRing delivered, IntSupplier inDelivery) {}
}

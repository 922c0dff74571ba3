package dev.duetime.admin;

import dev.duetime.internal.LatenessScale;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * What all nodes delivered of a queue lately. Immutable and thread-safe.
 *
 * @param queue the queue
 * @param samples what each node wrote last; empty if no node has written yet
 */
public record QueueActivity(String queue, List<NodeSample> samples) {
    private static final int RATE_SLOTS = 4;
    private static final Duration FRESH = Duration.ofSeconds(30);

    /** Copies the samples. */
    public QueueActivity {
        samples = List.copyOf(samples);
    }

    /**
     * Returns how many timers were delivered in each {@link NodeSample#SLOT} of the last 15 minutes, oldest first. The
     * last slot holds {@code now}, and is not over yet.
     */
    public List<Long> delivered(Instant now) {
        long last = NodeSample.slotOf(now);
        return LongStream.rangeClosed(last - NodeSample.SLOTS + 1, last)
                .map(this::ofSlot)
                .boxed()
                .toList();
    }

    private long ofSlot(long slot) {
        return samples.stream().mapToLong(each -> each.delivered(slot)).sum();
    }

    /** Returns how many timers were delivered each second, over the last minute of full slots. */
    public double deliveredPerSecond(Instant now) {
        long last = NodeSample.slotOf(now);
        long sum = LongStream.range(last - RATE_SLOTS, last).map(this::ofSlot).sum();
        return sum / (double) (RATE_SLOTS * NodeSample.SLOT.toSeconds());
    }

    /**
     * Returns a lateness that a part of the timers of the last five minutes did not exceed. It is at most 1.5 times too
     * large, at least a millisecond, and at most a day.
     *
     * @param part for example 0.5 for the median
     * @return null if none was delivered
     */
    @Nullable
    public Duration lateness(double part, Instant now) {
        long[] counts = new long[LatenessScale.STEPS];
        for (NodeSample each : samples) {
            for (int i = 0;
                    isFresh(each, now)
                            && i < Math.min(counts.length, each.lateness().size());
                    i++) {
                counts[i] += each.lateness().get(i);
            }
        }
        long wanted = (long) Math.ceil(LongStream.of(counts).sum() * part);
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen > 0 && seen >= wanted) {
                return LatenessScale.longest(i);
            }
        }
        return null;
    }

    /** Returns how many timers all nodes were delivering. */
    public int inDelivery(Instant now) {
        return samples.stream()
                .filter(each -> isFresh(each, now))
                .mapToInt(NodeSample::inDelivery)
                .sum();
    }

    private static boolean isFresh(NodeSample sample, Instant now) {
        return sample.takenAt().isAfter(now.minus(FRESH));
    }
}

package dev.duetime.testkit;

import dev.duetime.TimerQuery;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.Occurrence;
import dev.duetime.admin.QueuePause;
import dev.duetime.admin.TimerCount;
import dev.duetime.admin.TimerViews;
import dev.duetime.store.Revival;
import dev.duetime.store.StoreAdmin;
import dev.duetime.store.TimerVersion;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An admin that passes on every call. A test overrides what should go wrong. */
public class PassThroughAdmin implements StoreAdmin {
    final StoreAdmin intact;

    public PassThroughAdmin(StoreAdmin intact) {
        this.intact = intact;
    }

    @Override
    public List<TimerCount> count(TimerQuery query) {
        return intact.count(query);
    }

    @Override
    public TimerVersion.Page versions(TimerQuery query, @Nullable Instant endedBefore) {
        return intact.versions(query, endedBefore);
    }

    @Override
    public int changedAtOnce(List<TimerVersion> timers) {
        return intact.changedAtOnce(timers);
    }

    @Override
    public int revive(List<Revival> revivals, Instant now) {
        return intact.revive(revivals, now);
    }

    @Override
    public int deliverNow(List<Revival> timers, Instant now) {
        return intact.deliverNow(timers, now);
    }

    @Override
    public int reschedule(List<Revival> timers, Instant dueAt) {
        return intact.reschedule(timers, dueAt);
    }

    @Override
    public int cancel(List<TimerVersion> timers, Instant now) {
        return intact.cancel(timers, now);
    }

    @Override
    public int delete(List<TimerVersion> timers) {
        return intact.delete(timers);
    }

    @Override
    public boolean pause(String queue, QueuePause pause) {
        return intact.pause(queue, pause);
    }

    @Override
    public boolean resume(String queue) {
        return intact.resume(queue);
    }

    @Override
    public void putOccurrences(List<Occurrence> occurrences) {
        intact.putOccurrences(occurrences);
    }

    @Override
    public int forgetOccurrences(Instant before, int limit) {
        return intact.forgetOccurrences(before, limit);
    }

    @Override
    public void putSamples(List<NodeSample> samples) {
        intact.putSamples(samples);
    }

    @Override
    public List<NodeSample> samples() {
        return intact.samples();
    }

    @Override
    public void forgetSamples(Instant before) {
        intact.forgetSamples(before);
    }

    @Override
    public TimerViews views() {
        return intact.views();
    }
}

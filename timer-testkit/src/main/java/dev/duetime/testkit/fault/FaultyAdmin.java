package dev.duetime.testkit.fault;

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

/** The operations of an operator as one node reaches them: through faults. As thread-safe as the store. */
final class FaultyAdmin implements StoreAdmin {
    private final StoreAdmin admin;
    private final StoreFaults faults;

    FaultyAdmin(StoreAdmin admin, StoreFaults faults) {
        this.admin = admin;
        this.faults = faults;
    }

    @Override
    public List<TimerCount> count(TimerQuery query) {
        return faults.call(StoreCall.COUNT, () -> admin.count(query));
    }

    @Override
    public TimerVersion.Page versions(TimerQuery query, @Nullable Instant endedBefore) {
        return faults.call(StoreCall.VERSIONS, () -> admin.versions(query, endedBefore));
    }

    @Override
    public StoreAdmin brief() {
        return new FaultyAdmin(admin.brief(), faults);
    }

    @Override
    public int changedAtOnce(List<TimerVersion> timers) {
        return admin.changedAtOnce(timers);
    }

    @Override
    public int revive(List<Revival> revivals, Instant now) {
        return faults.call(StoreCall.REVIVE, () -> admin.revive(revivals, now));
    }

    @Override
    public int deliverNow(List<Revival> timers, Instant now) {
        return faults.call(StoreCall.DELIVER_NOW, () -> admin.deliverNow(timers, now));
    }

    @Override
    public int reschedule(List<Revival> timers, Instant dueAt) {
        return faults.call(StoreCall.RESCHEDULE, () -> admin.reschedule(timers, dueAt));
    }

    @Override
    public int cancel(List<TimerVersion> timers, Instant now) {
        return faults.call(StoreCall.CANCEL_MANY, () -> admin.cancel(timers, now));
    }

    @Override
    public int delete(List<TimerVersion> timers) {
        return faults.call(StoreCall.DELETE, () -> admin.delete(timers));
    }

    @Override
    public boolean pause(String queue, QueuePause pause) {
        return faults.call(StoreCall.PAUSE, () -> admin.pause(queue, pause));
    }

    @Override
    public boolean resume(String queue) {
        return faults.call(StoreCall.RESUME, () -> admin.resume(queue));
    }

    @Override
    public void putOccurrences(List<Occurrence> occurrences) {
        faults.call(StoreCall.PUT_OCCURRENCES, () -> {
            admin.putOccurrences(occurrences);
            return occurrences.size();
        });
    }

    @Override
    public int forgetOccurrences(Instant before, int limit) {
        return admin.forgetOccurrences(before, limit);
    }

    @Override
    public void putSamples(List<NodeSample> samples) {
        faults.call(StoreCall.PUT_SAMPLES, () -> {
            admin.putSamples(samples);
            return samples.size();
        });
    }

    @Override
    public List<NodeSample> samples() {
        return faults.call(StoreCall.COUNT, admin::samples);
    }

    @Override
    public void forgetSamples(Instant before) {
        admin.forgetSamples(before);
    }

    @Override
    public TimerViews views() {
        return new FaultyViews(admin.views(), faults);
    }
}

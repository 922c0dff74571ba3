package dev.duetime.specification;

import dev.duetime.Envelope;
import dev.duetime.StoredTimer;
import dev.duetime.Timer;
import dev.duetime.TimerQuery;
import dev.duetime.listener.DeadTimer;
import dev.duetime.listener.ExpiryReason;
import dev.duetime.listener.TimerListener;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A listener that records its calls, for tests with one thread. */
public final class RecordingListener implements TimerListener {
    public final List<String> delivered = new ArrayList<>();
    public final List<String> failed = new ArrayList<>();
    public final List<@Nullable Instant> retries = new ArrayList<>();
    public final List<String> expired = new ArrayList<>();
    public final List<StoredTimer> expiries = new ArrayList<>();
    public final List<ExpiryReason> reasons = new ArrayList<>();
    public final List<String> rejected = new ArrayList<>();
    public final List<Integer> cancelledByQuery = new ArrayList<>();
    public final List<DeadTimer> dead = new ArrayList<>();
    public final List<StoredTimer> skipped = new ArrayList<>();
    public int overtaken;

    @Override
    public void delivered(Envelope envelope) {
        delivered.add(envelope.key().timerId());
    }

    @Override
    public void failed(Envelope envelope, Throwable error, @Nullable Instant retryAt) {
        failed.add(envelope.key().timerId());
        retries.add(retryAt);
    }

    @Override
    public void expired(StoredTimer timer, ExpiryReason reason) {
        expired.add(timer.key().timerId());
        expiries.add(timer);
        reasons.add(reason);
    }

    @Override
    public void rejected(Timer timer, Instant expiresAt) {
        rejected.add(timer.key().timerId() + " " + expiresAt);
    }

    @Override
    public void cancelled(TimerQuery query, int count) {
        cancelledByQuery.add(count);
    }

    @Override
    public void dead(DeadTimer timer) {
        dead.add(timer);
    }

    @Override
    public void skipped(StoredTimer timer, @Nullable Instant next) {
        skipped.add(timer);
    }

    @Override
    public void overtaken(String queue, int count) {
        overtaken += count;
    }
}

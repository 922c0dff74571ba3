package dev.duetime.examples.rabbitmq;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.ConfirmListener;
import com.rabbitmq.client.ReturnListener;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The confirms of the broker for the messages of a channel. A returned message is also confirmed, after its return.
 * Thread-safe.
 */
final class Confirms implements ConfirmListener, ReturnListener {
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Mutable state, guarded by lock.
    private final NavigableMap<Long, String> open = new TreeMap<>();
    private final Map<String, Throwable> failures = new HashMap<>();
    private final Set<String> unsent = new HashSet<>();
    private @Nullable Throwable lost;

    /** Notes a message before it is sent. */
    void expect(long sequence, String id) {
        lock.lock();
        try {
            open.put(sequence, id);
        } finally {
            lock.unlock();
        }
    }

    /** Notes a message that could not be sent, because the connection was lost before. */
    void notSent(String id) {
        lock.lock();
        try {
            unsent.add(id);
        } finally {
            lock.unlock();
        }
    }

    /** Waits until the broker has answered every message. Returns those that it refused or returned, by their id. */
    Map<String, Throwable> await(Duration atMost) throws InterruptedException {
        lock.lock();
        try {
            for (long nanos = atMost.toNanos(); !open.isEmpty() && lost == null && nanos > 0; ) {
                nanos = changed.awaitNanos(nanos);
            }
            Map<String, Throwable> result = Map.copyOf(failures);
            failures.clear();
            return result;
        } finally {
            lock.unlock();
        }
    }

    /** Returns the messages that the broker neither confirmed nor refused. It may have them. */
    Set<String> unanswered() {
        lock.lock();
        try {
            Set<String> ids = new HashSet<>(open.values());
            ids.addAll(unsent);
            return ids;
        } finally {
            lock.unlock();
        }
    }

    /** Returns why the broker answers no more; null if it is only slow. */
    @Nullable
    Throwable whyLost() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /** Notes that nothing will be confirmed any more. */
    void lost(Throwable cause) {
        lock.lock();
        try {
            lost = lost == null ? cause : lost;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void handleAck(long sequence, boolean multiple) {
        confirmed(sequence, multiple, null);
    }

    @Override
    public void handleNack(long sequence, boolean multiple) {
        confirmed(sequence, multiple, new IOException("the broker refused it"));
    }

    @Override
    public void handleReturn(
            int code, String reason, String exchange, String routingKey, BasicProperties properties, byte[] body) {
        lock.lock();
        try {
            failures.put(
                    properties.getMessageId(), new IOException("no queue takes it: %d %s".formatted(code, reason)));
        } finally {
            lock.unlock();
        }
    }

    private void confirmed(long sequence, boolean multiple, @Nullable IOException refusal) {
        lock.lock();
        try {
            NavigableMap<Long, String> them =
                    multiple ? open.headMap(sequence, true) : open.subMap(sequence, true, sequence, true);
            if (refusal != null) {
                them.values().forEach(id -> failures.put(id, refusal));
            }
            them.clear();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

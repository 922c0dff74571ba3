package dev.duetime.examples.timerservice.load;

import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.PublishOptions;
import io.nats.client.api.PublishAck;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A sender of commands at a steady rate. It repeats each command until the broker has acknowledged it; message ids keep
 * repeats out of the stream. Each timer is due one to five seconds after its command is made, or sooner in a shorter
 * run.
 */
final class CommandSender implements Runnable {
    private static final int DELAY_MILLIS = 1_000;
    private static final long TICK_NANOS = Duration.ofMillis(5).toNanos();
    private static final int MOST_UNDER_WAY = 4_000;

    private final JetStream stream;
    private final String subject;
    private final LoadPlan plan;
    private final Random random = new Random();
    private final Queue<Command> open = new ConcurrentLinkedQueue<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger accepted = new AtomicInteger();

    /** A command that the broker has not acknowledged. */
    private record Command(String timerId, String json) {}

    CommandSender(Connection connection, String subject, LoadPlan plan) throws IOException {
        stream = connection.jetStream();
        this.subject = subject;
        this.plan = plan;
    }

    int accepted() {
        return accepted.get();
    }

    /** Returns when all are accepted. */
    @Override
    public void run() {
        long start = System.nanoTime();
        int made = 0;
        while (accepted.get() < plan.commands()) {
            double seconds = (System.nanoTime() - start) / 1e9;
            int shouldBe = (int) Math.min(plan.commands(), seconds * plan.rate());
            for (; made < shouldBe; made++) {
                open.add(command(made));
            }
            boolean going = true;
            while (going && underWay.get() < MOST_UNDER_WAY) {
                Command next = open.poll();
                going = next != null && send(next);
            }
            LockSupport.parkNanos(TICK_NANOS);
        }
    }

    private Command command(int number) {
        Instant dueAt = Instant.now().plusMillis(DELAY_MILLIS + random.nextInt(plan.spreadMillis()));
        String timerId = "timer-" + number;
        String json = "{\"tenantId\":\"load\",\"timerId\":\"%s\",\"dueAt\":\"%s\",\"payload\":{\"orderId\":%d}}"
                .formatted(timerId, dueAt, number);
        return new Command(timerId, json);
    }

    /** Returns false if the broker is away. */
    private boolean send(Command command) {
        PublishOptions options =
                PublishOptions.builder().messageId(command.timerId()).build();
        byte[] json = command.json().getBytes(StandardCharsets.UTF_8);
        underWay.incrementAndGet();
        try {
            CompletableFuture<PublishAck> unused = stream.publishAsync(subject, json, options)
                    .whenComplete((ack, failure) -> {
                        underWay.decrementAndGet();
                        if (failure == null) {
                            accepted.incrementAndGet();
                        } else {
                            open.add(command);
                        }
                    });
            return true;
        } catch (IllegalStateException e) {
            underWay.decrementAndGet();
            open.add(command);
            return false;
        }
    }
}

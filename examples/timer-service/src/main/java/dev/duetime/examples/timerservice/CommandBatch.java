package dev.duetime.examples.timerservice;

import dev.duetime.MalformedMessageException;
import dev.duetime.ScheduleResult;
import dev.duetime.ScheduleTimer;
import dev.duetime.ScheduleTimerHandler;
import dev.duetime.Scheduler;
import dev.duetime.StoreException;
import dev.duetime.Timer;
import dev.duetime.TimerExpiredException;
import io.nats.client.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Schedules what a batch of messages asks for in one transaction, and acknowledges each message once its timer is durable.
 * Used by one thread.
 */
final class CommandBatch {
    private static final Logger LOG = LoggerFactory.getLogger(CommandBatch.class);
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(1);

    private final Scheduler scheduler;
    private final ScheduleTimerHandler handler;
    private final ServiceMeters meters;
    private boolean storeAway;

    CommandBatch(Scheduler scheduler, ServiceMeters meters) {
        this.scheduler = scheduler;
        this.meters = meters;
        handler = new ScheduleTimerHandler(scheduler);
    }

    /** Takes each message to its end; returns false if the database failed, so that they come again. */
    boolean take(List<Message> messages) {
        List<Message> valid = new ArrayList<>(messages.size());
        List<Timer> timers = new ArrayList<>(messages.size());
        for (Message message : messages) {
            try {
                timers.add(ScheduleTimer.parse(message.getData()));
                valid.add(message);
            } catch (MalformedMessageException e) {
                terminate(message, e);
            }
        }
        return valid.isEmpty() || schedule(valid, timers);
    }

    private boolean schedule(List<Message> messages, List<Timer> timers) {
        try {
            List<ScheduleResult> results = scheduler.scheduleAll(timers);
            for (int i = 0; i < results.size(); i++) {
                acknowledge(messages.get(i), results.get(i));
            }
        } catch (IllegalArgumentException | TimerExpiredException e) {
            // One of them is refused, by a limit or because it came too late, and with it the batch.
            return scheduleOneByOne(messages);
        } catch (StoreException e) {
            return comeAgain(messages, e);
        }
        storeAway = false;
        return true;
    }

    private boolean scheduleOneByOne(List<Message> messages) {
        for (int i = 0; i < messages.size(); i++) {
            Message message = messages.get(i);
            try {
                acknowledge(message, handler.handle(message.getData()));
            } catch (MalformedMessageException e) {
                terminate(message, e);
            } catch (TimerExpiredException e) {
                meters.received("expired");
                Termination.of(message, "its deadline %s has passed".formatted(e.expiresAt()));
            } catch (StoreException e) {
                return comeAgain(messages.subList(i, messages.size()), e);
            }
        }
        storeAway = false;
        return true;
    }

    private void acknowledge(Message message, ScheduleResult result) {
        meters.received(result.outcome());
        message.ack();
    }

    /** The same bytes would be malformed again. */
    private void terminate(Message message, MalformedMessageException e) {
        meters.received("malformed");
        Termination.of(message, "field %s: %s".formatted(e.field(), e.getMessage()));
    }

    private boolean comeAgain(List<Message> messages, StoreException failure) {
        if (!storeAway) {
            LOG.warn("commands wait for the database, trying on: {}", failure.getMessage());
            storeAway = true;
        }
        for (Message message : messages) {
            meters.received("store_failed");
            message.nakWithDelay(AGAIN_AFTER);
        }
        return false;
    }
}

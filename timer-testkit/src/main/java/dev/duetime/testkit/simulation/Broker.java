package dev.duetime.testkit.simulation;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.TimerKey;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Event.Answer;
import dev.duetime.testkit.simulation.run.Fault;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The receiving end of all publishers. It accepts, refuses, or accepts and then throws. */
final class Broker {
    private static final Duration LONGEST_CALL = Duration.ofSeconds(1);

    private final World world;
    private final Map<TimerKey, Integer> poison = new HashMap<>();
    private final Map<TimerKey, Integer> deadly = new HashMap<>();
    private Instant downUntil = Instant.MIN;
    private int calls;

    Broker(World world) {
        this.world = world;
    }

    void goDown(Instant until) {
        downUntil = until;
    }

    /** Refuses the timer this number of times. */
    void poison(TimerKey key, int times) {
        poison.put(key, times);
    }

    /** Lets the timer kill this number of processes that publish it. */
    void deadly(TimerKey key, int times) {
        deadly.put(key, times);
    }

    void recover() {
        deadly.clear();
        downUntil = Instant.MIN;
        poison.clear();
    }

    void publish(NodeProcess process, List<Envelope> batch) throws Exception {
        int call = ++calls;
        process.checkAlive();
        process.inDelivery(true);
        Answer answer = Answer.NONE;
        try {
            process.note(new Event.Called(call, batch));
            world.chaos.interlude(process, LONGEST_CALL);
            process.checkAlive();
            kill(process, batch);
            world.rude.strike();
            Exception refusal = answer(process, call, batch);
            if (refusal == null) {
                answer = Answer.RETURNED;
            } else {
                answer = refusal instanceof PartialPublishException ? Answer.PARTIAL : Answer.THREW;
                throw refusal;
            }
        } finally {
            process.inDelivery(false);
            process.note(new Event.Answered(call, answer));
            world.rude.strikeAtTheEnd();
        }
    }

    private void kill(NodeProcess process, List<Envelope> batch) {
        batch.forEach(each -> kill(process, each.key()));
    }

    /** Kills the process if the timer is deadly. */
    void kill(NodeProcess process, TimerKey key) {
        Integer times = deadly.remove(key);
        if (times != null) {
            if (times > 1) {
                deadly.put(key, times - 1);
            }
            process.crash();
            process.checkAlive();
        }
    }

    private @Nullable Exception answer(NodeProcess process, int call, List<Envelope> batch) {
        Exception refusal = refusal(batch);
        if (refusal != null) {
            return refusal;
        }
        boolean silent = world.chaos.strikes(Fault.SILENT_SUCCESS);
        int accepted = batch.size();
        boolean partial = batch.size() > 1 && world.chaos.refusesSome();
        if (partial || (silent && world.chance(0.5))) {
            accepted = world.random.nextInt(batch.size());
        }
        for (Envelope envelope : batch.subList(0, accepted)) {
            process.note(new Event.Accepted(call, envelope));
            world.chaos.interlude(process);
            process.checkAlive();
        }
        if (silent) {
            return new IOException("the reply was lost");
        }
        return accepted == batch.size() ? null : partial(batch.subList(accepted, batch.size()));
    }

    private @Nullable Exception refusal(List<Envelope> batch) {
        if (world.clock.now().isBefore(downUntil) || world.chaos.strikes(Fault.PUBLISHER_FAILURE)) {
            return world.chance(0.5) ? new IOException("unavailable") : new IllegalStateException("unavailable");
        }
        for (Envelope envelope : batch) {
            Integer times = poison.get(envelope.key());
            if (times != null && times > 0) {
                // The engine searches a batch for this timer. Only a call with this timer alone counts.
                poison.put(envelope.key(), batch.size() == 1 ? times - 1 : times);
                return new IOException("poison " + envelope.key());
            }
        }
        return null;
    }

    private static Exception partial(List<Envelope> refused) {
        Map<String, Throwable> failures = new HashMap<>();
        refused.forEach(each -> failures.put(each.id(), new IOException("refused")));
        return new PartialPublishException(failures);
    }
}

package dev.duetime.testkit.simulation.invariant;

import dev.duetime.Envelope;
import dev.duetime.testkit.simulation.run.Event;
import java.util.HashMap;
import java.util.Map;

/**
 * The rule that a process asks only for shards whose lease its node holds at that moment, and begins to publish a batch
 * only while the node still holds all leases of the batch. A batch that the publisher already has is not checked.
 */
final class OwnersOnly implements Invariant {
    private final Map<String, Integer> published = new HashMap<>();

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Asks asks) {
            for (int shard : asks.shards()) {
                if (!mayOwn(shard, event, model)) {
                    throw new Violation(
                            null,
                            "%s asks at %s for shard %d, whose lease is %s: event %d",
                            event.process(),
                            event.at(),
                            shard,
                            model.lease(shard),
                            event.number());
                }
            }
        } else if (event.fact() instanceof Event.Called called) {
            int readAt = model.lastReadAt(event.process());
            if (published.getOrDefault(event.process(), -1) < readAt) {
                called.batch().forEach(each -> checkHeld(each, event, model));
            }
            published.put(event.process(), event.number());
        }
    }

    /** If the store's clock was set, a lease may end for others before its owner has learned the time. */
    private static boolean mayOwn(int shard, Event event, Model model) {
        return model.isTimeUncertain() || model.isHeld(shard, event);
    }

    private static void checkHeld(Envelope envelope, Event event, Model model) {
        int shard = model.of(envelope).shard();
        if (!mayOwn(shard, event, model)) {
            throw new Violation(
                    envelope.key(),
                    "%s begins to publish at %s a batch with generation %d of shard %d, whose lease is %s: event %d",
                    event.process(),
                    event.at(),
                    model.of(envelope).generation(),
                    shard,
                    model.lease(shard),
                    event.number());
        }
    }
}

package dev.duetime.testkit.simulation.invariant;

import dev.duetime.testkit.simulation.run.Event;
import java.util.HashSet;
import java.util.Set;

/** The rule that in the end a running node owns each shard, even if a stranger's lease was on it. */
final class ShardsServed implements Invariant {
    private final int shards;
    private final Set<String> running = new HashSet<>();

    ShardsServed(int shards) {
        this.shards = shards;
    }

    @Override
    public void see(Event event, Model model) {
        if (event.fact() instanceof Event.Life life) {
            switch (life.what()) {
                case STARTED -> running.add(event.process());
                case CRASHED, CLOSED -> running.remove(event.process());
                default -> {}
            }
        } else if (event.fact() instanceof Event.Phase phase && phase.name().equals("end")) {
            for (int shard = 0; shard < shards; shard++) {
                check(shard, event, model);
            }
        }
    }

    private void check(int shard, Event event, Model model) {
        Model.Lease lease = model.lease(shard);
        if (lease == null || !running.contains(lease.process()) || lease.until().isBefore(event.at())) {
            throw new Violation(
                    null,
                    "no node serves shard %d in the end: its lease is %s, and %s run: event %d",
                    shard,
                    lease,
                    running,
                    event.number());
        }
    }
}

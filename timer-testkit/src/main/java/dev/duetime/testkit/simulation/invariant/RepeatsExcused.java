package dev.duetime.testkit.simulation.invariant;

import dev.duetime.TimerKey;
import dev.duetime.store.NewTimer;
import dev.duetime.store.Settlement;
import dev.duetime.testkit.fault.StoreCall;
import dev.duetime.testkit.simulation.invariant.Model.Lease;
import dev.duetime.testkit.simulation.run.Event;
import dev.duetime.testkit.simulation.run.Event.Life.What;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rule that at most one delivery of a generation has no excuse. So there are no more repeats than faults that hit
 * a delivery in flight. A fault excuses each delivery of its process that was unsettled at that moment, once.
 *
 * <ul>
 *   <li>The process was killed: what it had delivered and not settled.
 *   <li>The lease ran out and another node took the shard: what the process had read from it before, and delivers from
 *       this batch or has not settled yet.
 *   <li>The publisher accepted and threw an exception that does not say so: what it accepted in this call.
 *   <li>The process was closed while the store took no outcomes, or while others held the rows: what it had delivered
 *       and not settled.
 *   <li>The process gave a shard away after others had held a row from it for {@link #KEPT_FOR}: what it had delivered
 *       of this row.
 * </ul>
 *
 * A failed settle alone, a lost reply, a refusing publisher, a jump of a clock, a node that joins and a process that is
 * closed in good order excuse nothing.
 */
final class RepeatsExcused implements Invariant {
    /** How long a process keeps a shard for an outcome whose row another transaction holds. */
    private static final Duration KEPT_FOR = Duration.ofSeconds(5);

    private final Map<Long, List<Delivery>> deliveries = new TreeMap<>();
    private final Map<String, Hands> processes = new HashMap<>();

    private static final class Delivery {
        final TimerKey key;
        final Event event;
        final int call;
        final int shard;

        @Nullable
        String excuse;

        Delivery(Event event, Event.Accepted accepted, int shard) {
            this.key = accepted.envelope().key();
            this.event = event;
            this.call = accepted.call();
            this.shard = shard;
        }
    }

    /** The deliveries that one process has in flight. */
    private static final class Hands {
        final Map<Long, List<Delivery>> unsettled = new HashMap<>();
        final Set<Integer> lostShards = new HashSet<>();
        /** The shards that were lost during a call of the publisher. The loop may read on meanwhile. */
        final Map<Integer, Set<Integer>> lostInCall = new HashMap<>();

        boolean closed;
        boolean settleFailed;
        /** The generations whose outcomes could not be written, because of others or the database, and since when. */
        final Map<Long, Instant> leftOut = new HashMap<>();

        void settled(long generation) {
            unsettled.remove(generation);
            leftOut.remove(generation);
        }

        void excuseLeftOut(Predicate<Delivery> which, Instant until) {
            leftOut.forEach((generation, since) -> {
                if (!since.isAfter(until)) {
                    unsettled.getOrDefault(generation, List.of()).stream()
                            .filter(which)
                            .forEach(
                                    each -> each.excuse = "the row could not be written when the shard was given away");
                }
            });
        }

        void excuse(String excuse) {
            unsettled.values().forEach(all -> all.forEach(each -> each.excuse = excuse));
        }
    }

    @Override
    public void see(Event event, Model model) {
        Event.Fact fact = event.fact();
        Hands hands = processes.computeIfAbsent(event.process(), process -> new Hands());
        if (fact instanceof Event.Read) {
            hands.lostShards.clear();
        } else if (fact instanceof Event.Called called) {
            hands.lostInCall.put(called.call(), new HashSet<>(hands.lostShards));
        } else if (fact instanceof Event.Accepted accepted) {
            accepted(event, accepted, hands, model);
        } else if (fact instanceof Event.Answered answered && answered.nothingKnown()) {
            hands.unsettled
                    .values()
                    .forEach(all -> all.stream()
                            .filter(each -> each.call == answered.call())
                            .forEach(each -> each.excuse = "the publisher threw"));
        } else if (fact instanceof Event.Settled settled) {
            hands.settleFailed = false;
            settled.settlements().stream().map(Settlement::generation).forEach(hands::settled);
        } else if (fact instanceof Event.Broken broken && broken.call() == StoreCall.SETTLE) {
            hands.settleFailed = true;
        } else if (fact instanceof Event.HeapWasFull full && full.call() == StoreCall.SETTLE) {
            hands.settleFailed = true;
        } else if (fact instanceof Event.LeftOut left) {
            left.settlements().forEach(each -> hands.leftOut.putIfAbsent(each.generation(), event.at()));
        } else if (fact instanceof Event.Acquired acquired) {
            acquired.shards().forEach(shard -> lost(shard, event, model));
        } else if (fact instanceof Event.Life life && life.what() == What.CRASHED) {
            hands.excuse("the process was killed");
        } else if (fact instanceof Event.Life life && life.what() == What.CLOSED) {
            hands.closed = true;
        }
        if (hands.closed && hands.settleFailed) {
            hands.excuse("the process was closed without a store");
        }
        if (hands.closed) {
            hands.excuseLeftOut(each -> true, event.at());
        } else if (fact instanceof Event.Released released) {
            Instant until = event.at().minus(KEPT_FOR);
            hands.excuseLeftOut(each -> released.shards().contains(each.shard), until);
        }
    }

    private void accepted(Event event, Event.Accepted accepted, Hands hands, Model model) {
        NewTimer timer = model.of(accepted.envelope());
        Delivery delivery = new Delivery(event, accepted, timer.shard());
        if (hands.lostShards.contains(timer.shard())
                || hands.lostInCall.getOrDefault(accepted.call(), Set.of()).contains(timer.shard())) {
            delivery.excuse = "the lease had run out";
        }
        if (model.isTimeUncertain()) {
            delivery.excuse = "the store's clock was set";
        }
        deliveries
                .computeIfAbsent(timer.generation(), generation -> new ArrayList<>())
                .add(delivery);
        hands.unsettled
                .computeIfAbsent(timer.generation(), generation -> new ArrayList<>())
                .add(delivery);
    }

    private void lost(int shard, Event event, Model model) {
        Lease before = model.lease(shard);
        if (before == null || before.process().equals(event.process())) {
            return;
        }
        Hands hands = processes.computeIfAbsent(before.process(), process -> new Hands());
        hands.lostShards.add(shard);
        hands.lostInCall.values().forEach(lost -> lost.add(shard));
        hands.unsettled
                .values()
                .forEach(all -> all.stream()
                        .filter(each -> each.shard == shard)
                        .forEach(each -> each.excuse = "the lease ran out"));
    }

    @Override
    public void end(Model model) {
        deliveries.forEach((generation, all) -> {
            List<Delivery> unexcused =
                    all.stream().filter(each -> each.excuse == null).toList();
            if (unexcused.size() > 1) {
                Violation violation = new Violation(
                        unexcused.get(0).key,
                        "generation %d was delivered %d times, of which %d have no excuse: events %s",
                        generation,
                        all.size(),
                        unexcused.size(),
                        unexcused.stream().map(each -> each.event.number()).toList());
                violation.event = unexcused.get(unexcused.size() - 1).event;
                throw violation;
            }
        });
    }
}

package dev.duetime.engine.loop;

import dev.duetime.engine.shards.ShardClaims;

/**
 * The state of a queue's loop between its turns, a class for each part.
 *
 * @param vitals what health reports about the loop
 * @param backOff whether the store or the publisher is unavailable
 * @param nextRead when to read next
 * @param nextTurn when to have the next turn
 * @param end whether the loop is being closed
 */
record LoopState(LoopVitals vitals, BackOff backOff, NextRead nextRead, NextTurn nextTurn, LoopEnd end) {

    static LoopState of(LoopParts parts, QueueDelivery delivery, ShardClaims shards) {
        LoopVitals vitals = new LoopVitals();
        NextRead nextRead = new NextRead(parts, vitals, delivery.plan());
        return new LoopState(
                vitals,
                new BackOff(parts.node(), parts.clock()),
                nextRead,
                new NextTurn(parts.queue().pollInterval(), parts.clock(), nextRead, vitals),
                new LoopEnd(parts.queue().name(), parts.owner(), delivery, shards::hasUnsettled));
    }
}

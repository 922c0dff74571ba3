package dev.duetime.engine.loop;

import dev.duetime.Clock;
import dev.duetime.StoreException;
import dev.duetime.engine.report.ErrorText;
import dev.duetime.engine.shards.LeaseNews;
import dev.duetime.store.QueueSnapshot;
import dev.duetime.store.ScheduleStore;
import dev.duetime.store.ShardMap;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The poll for all idle queues of a node, by one statement. It also reads who holds which shard, so that the ownership
 * loop need not. It runs shortly before the loops would poll for themselves. If it fails or hangs, they do. Run by one
 * thread.
 */
public final class IdlePoll implements Clock.Pass {
    private static final Logger LOG = LoggerFactory.getLogger(IdlePoll.class);

    /** By this part of the poll interval it is earlier than the loops. */
    private static final int EARLIER = 20;

    private final ScheduleStore store;
    private final Clock clock;
    private final String self;
    private final QueueLoops loops;
    private final LeaseNews news;
    private boolean begun;

    /**
     * Creates the poll of a node.
     *
     * @param self the id of the node
     */
    public IdlePoll(ScheduleStore store, Clock clock, String self, QueueLoops loops, LeaseNews news) {
        this.store = store;
        this.clock = clock;
        this.self = self;
        this.loops = loops;
        this.news = news;
    }

    @Override
    public Instant run() {
        Instant now = clock.now();
        if (begun) {
            poll(now);
        }
        begun = true;
        return now.plus(interval());
    }

    private Duration interval() {
        Duration shortest = loops.all().stream()
                .map(ServedQueue::pollInterval)
                .min(Duration::compareTo)
                .orElseThrow();
        return shortest.minus(shortest.dividedBy(EARLIER));
    }

    private void poll(Instant now) {
        Map<ServedQueue, IdleAnswers.Ticket> idle = new HashMap<>();
        for (ServedQueue queue : loops.all()) {
            IdleAnswers.Ticket ticket = queue.idle();
            if (ticket != null) {
                idle.put(queue, ticket);
            }
        }
        if (idle.isEmpty()) {
            return;
        }
        LeaseNews.Sight sight = news.begin();
        try {
            List<String> queues = loops.all().stream().map(ServedQueue::name).toList();
            answer(idle, store.snapshot(queues, self), sight, now);
        } catch (StoreException | OutOfMemoryError e) {
            LOG.debug("the poll for all idle queues failed; each of them polls for itself: {}", ErrorText.of(e));
        }
    }

    private void answer(
            Map<ServedQueue, IdleAnswers.Ticket> idle,
            Map<String, QueueSnapshot> snapshots,
            LeaseNews.Sight sight,
            Instant now) {
        Map<String, ShardMap> maps = new HashMap<>();
        snapshots.forEach((queue, snapshot) -> maps.put(queue, snapshot.shards()));
        news.saw(sight, maps);
        idle.forEach((queue, ticket) -> {
            QueueSnapshot snapshot = snapshots.get(queue.name());
            if (snapshot != null) {
                queue.answer(new IdleAnswers.Answer(
                        ticket, snapshot.next(), snapshot.shards().heldBy(self), now, sight.beganNanos()));
            }
        });
    }
}

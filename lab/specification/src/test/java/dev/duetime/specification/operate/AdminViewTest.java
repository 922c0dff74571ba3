package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.admin.QueueOverview;
import dev.duetime.admin.TimerCount;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of what an operator can see. */
class AdminViewTest extends OperatedKit {
    @Test
    void timersAreCountedByQueueAndState() {
        dead("a");
        schedule("b", HOUR);
        kit.scheduler().schedule(Timer.after("m", HOUR).queue("mail").build());

        assertThat(admin.count(ALL))
                .containsExactly(
                        new TimerCount("default", TimerState.SCHEDULED, 1),
                        new TimerCount("default", TimerState.REACHED, 1),
                        new TimerCount("default", TimerState.DEAD, 1),
                        new TimerCount("mail", TimerState.SCHEDULED, 1));
        assertThat(admin.count(ALL.queue("mail").state(TimerState.SCHEDULED)))
                .containsExactly(new TimerCount("mail", TimerState.SCHEDULED, 1));
    }

    @Test
    void timersAreListedPageByPageAndInspectedOneByOne() {
        schedule("a", HOUR);
        schedule("b", HOUR);

        assertThat(admin.query(ALL.limit(1).after(TimerKey.of("a"))))
                .extracting(each -> each.key().timerId())
                .containsExactly("b");
        assertThat(admin.find(TimerKey.of("a"))).contains(stored("a"));
    }

    @Test
    void anOverviewShowsOwnersShardsAndLeases() {
        kit.addNode();
        kit.advance(Duration.ofMinutes(1));
        schedule("paused", Duration.ofSeconds(1));
        kit.node(0).crash();
        kit.node(1).pause();
        kit.advance(Duration.ofSeconds(20));

        QueueOverview queue = kit.node(1).scheduler().admin().queues().get(0);

        assertThat(queue.queue()).isEqualTo("default");
        assertThat(queue.shards()).isEqualTo(4);
        assertThat(queue.nodes())
                .extracting(node -> node.nodeId().substring(0, 7))
                .containsExactly("node-0-", "node-1-");
        assertThat(queue.nodes()).allSatisfy(node -> {
            assertThat(node.shards()).hasSize(2);
            assertThat(node.alive()).isFalse();
            assertThat(node.aliveUntil()).isBefore(kit.now());
        });
        assertThat(queue.unownedShards()).isEqualTo(4);
        assertThat(queue.oldestDue()).isEqualTo(stored("paused").dueAt());

        kit.node(1).resume();
        kit.advance(Duration.ofSeconds(20));

        QueueOverview after = kit.node(1).scheduler().admin().queues().get(0);
        assertThat(after.nodes()).singleElement().satisfies(node -> {
            assertThat(node.nodeId()).startsWith("node-1-");
            assertThat(node.alive()).isTrue();
            assertThat(node.shards())
                    .containsExactlyElementsOf(IntStream.range(0, 4).boxed().toList());
        });
        assertThat(after.unownedShards()).isZero();
        assertThat(after.oldestDue()).isNull();
    }
}

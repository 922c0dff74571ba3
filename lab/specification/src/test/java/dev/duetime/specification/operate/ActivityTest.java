package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Timer;
import dev.duetime.admin.NodeSample;
import dev.duetime.admin.QueueActivity;
import dev.duetime.testkit.TimerKit;
import dev.duetime.testkit.fault.StoreCall;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of what operators see of the deliveries of all nodes. */
class ActivityTest {
    private static final Duration LATE = Duration.ofSeconds(4);

    private final TimerKit kit = TimerKit.builder()
            .configure(settings -> settings.queue("mail", queue -> queue.publisher(batch -> {})))
            .build();

    private QueueActivity activity() {
        return kit.scheduler().admin().activity().get(0);
    }

    private void deliver(int timers) {
        kit.scheduler()
                .scheduleAll(IntStream.range(0, timers)
                        .mapToObj(i -> Timer.at("t" + kit.now() + i, kit.now().minus(LATE))
                                .build())
                        .toList());
        kit.runDue();
    }

    @Test
    void nodesWriteWhileSomebodyLooksAndStopAfterwards() {
        kit.addNode(settings -> settings.queue("mail", queue -> queue.publisher(batch -> {})));
        kit.advance(Duration.ofMinutes(10));
        deliver(30);
        assertThat(written()).isZero();

        assertThat(activity().queue()).isEqualTo("default");
        kit.advance(Duration.ofSeconds(6));

        assertThat(activity().samples())
                .extracting(NodeSample::nodeId)
                .doesNotHaveDuplicates()
                .hasSize(2);
        assertThat(activity().delivered(kit.now()).stream()
                        .mapToLong(each -> each)
                        .sum())
                .isEqualTo(30);

        kit.advance(Duration.ofSeconds(40));
        int before = written();
        kit.advance(Duration.ofMinutes(10));
        assertThat(written()).isEqualTo(before);
    }

    @Test
    void manyLooksCostOneHintEachFifteenSecondsAndAWriteEachFive() {
        kit.advance(Duration.ofMinutes(1));
        int hints = kit.node(0).calls(StoreCall.SEND_HINTS);

        for (int i = 0; i < 60; i++) {
            activity();
            activity();
            kit.advance(Duration.ofSeconds(1));
        }

        assertThat(kit.node(0).calls(StoreCall.SEND_HINTS) - hints).isBetween(3, 5);
        assertThat(written()).isBetween(10, 13);
    }

    @Test
    void ratesAndLatenessAreThoseOfTheLastMinutes() {
        kit.advance(Duration.ofMinutes(1));
        deliver(120);
        activity();
        kit.advance(Duration.ofSeconds(20));

        QueueActivity seen = activity();

        assertThat(seen.deliveredPerSecond(kit.now())).isEqualTo(2.0);
        assertThat(seen.lateness(0.5, kit.now()))
                .isBetween(LATE, LATE.multipliedBy(3).dividedBy(2));
        for (int i = 0; i < 6; i++) {
            kit.advance(Duration.ofMinutes(1));
            activity();
            kit.advance(Duration.ofSeconds(6));
        }
        assertThat(activity().deliveredPerSecond(kit.now())).isZero();
        assertThat(activity().lateness(0.99, kit.now())).isNull();
        assertThat(activity().delivered(kit.now()).stream()
                        .mapToLong(each -> each)
                        .sum())
                .isEqualTo(120);
    }

    @Test
    void aSampleThatCannotBeWrittenDisturbsNothing() {
        kit.advance(Duration.ofMinutes(1));
        activity();
        kit.node(0).failBefore(StoreCall.PUT_SAMPLES);

        kit.advance(Duration.ofSeconds(3));
        deliver(1);
        kit.advance(Duration.ofSeconds(8));

        assertThat(activity().samples()).hasSize(1);
        assertThat(kit.scheduler().admin().health().isHealthy(Duration.ofSeconds(1)))
                .isTrue();
    }

    private int written() {
        return kit.nodes().stream()
                .mapToInt(node -> node.calls(StoreCall.PUT_SAMPLES))
                .sum();
    }
}

package dev.duetime.specification.delivery;

import static dev.duetime.testkit.DuetimeAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The rule that queues have their own publishers and do not disturb each other. */
class QueuesTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final InMemoryPublisher mails = new InMemoryPublisher();
    private final TimerKit post = TimerKit.builder()
            .configure(scheduler -> scheduler.queue("mail", queue -> queue.publisher(mails)))
            .configure(scheduler -> scheduler.queue("only-scheduled", queue -> {}))
            .build();

    @Test
    void eachQueueHasItsPublisher() {
        post.scheduler().schedule(Timer.after("m", SECOND).queue("mail").build());
        post.scheduler().schedule(Timer.after("d", SECOND).build());
        post.advance(SECOND);
        assertThat(mails).hasDeliveredInOrder("m");
        assertThat(post).hasDeliveredInOrder("d");
    }

    @Test
    void anOutageOfOneQueueDoesNotDelayTheOther() {
        mails.failAlways();
        post.scheduler().schedule(Timer.after("m", SECOND).queue("mail").build());
        post.advance(Duration.ofSeconds(2));
        post.scheduler().schedule(Timer.after("d", SECOND).build());
        post.advance(SECOND);
        assertThat(post).lastOf("d").wasReachedAt(post.now());
    }

    @Test
    void aQueueWithoutAPublisherIsLeftToOtherNodes() {
        post.scheduler()
                .schedule(Timer.after("o", SECOND).queue("only-scheduled").build());
        post.advance(Duration.ofHours(1));
        assertThat(post).hasDeliveredNothing();
        assertThat(post.scheduler().find(TimerKey.of("o")).orElseThrow().state())
                .isEqualTo(TimerState.SCHEDULED);
    }

    @Test
    void aQueueThatTheNodeDoesNotKnowIsRefused() {
        assertThatThrownBy(() -> post.scheduler()
                        .schedule(Timer.after("x", SECOND).queue("nowhere").build()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("queue must be one of", "'nowhere'", "default/x");
        assertThat(post.store().find(TimerKey.of("x"))).isEmpty();
    }
}

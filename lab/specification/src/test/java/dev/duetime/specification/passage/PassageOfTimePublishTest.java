package dev.duetime.specification.passage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.HandlerException;
import dev.duetime.Publisher;
import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.passage.DayHasPassed;
import dev.duetime.passage.HourHasPassed;
import dev.duetime.passage.MinuteHasPassed;
import dev.duetime.passage.PassageOfTime;
import dev.duetime.passage.TimeHasPassed;
import dev.duetime.recurrence.CatchUp;
import dev.duetime.testkit.InMemoryPublisher;
import dev.duetime.testkit.TimerKit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests of how events of the passage of time are published. */
class PassageOfTimePublishTest extends PassageKit {
    @Test
    void eventsArePublishedAsEnvelopesWithJson() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        PassageOfTime.Builder time =
                PassageOfTime.builder().publish("ticks", publisher, MinuteHasPassed.class, HourHasPassed.class);
        try (TimerKit kit = kit(START.plus(Duration.ofMinutes(58)), time)) {
            kit.advance(Duration.ofMinutes(2));
            assertThat(publisher.delivered())
                    .extracting(each -> each.type())
                    .containsExactly("MinuteHasPassed", "MinuteHasPassed", "HourHasPassed");
            assertThat(publisher.delivered()).extracting(each -> each.id()).doesNotHaveDuplicates();
            TimeHasPassed hour = TimeHasPassed.from(publisher.delivered().get(2));
            assertThat(hour).isInstanceOf(HourHasPassed.class);
            assertThat(hour.now()).isEqualTo(minute(60));
            assertThat(publisher.delivered())
                    .allSatisfy(each -> assertThat(each.expiresAt()).isNull());
        }
    }

    @Test
    void intervalsArePublishedToo() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        PassageOfTime.Builder time = PassageOfTime.builder()
                .publishEvery(Duration.ofSeconds(30), "ticks", publisher)
                .publishEvery(Duration.ofSeconds(40), "all-ticks", CatchUp.ALL, publisher);
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofSeconds(40));
            assertThat(publisher.delivered())
                    .extracting(
                            each -> each.type() + " " + TimeHasPassed.from(each).now())
                    .containsExactly(
                            "IntervalHasPassed " + START.plusSeconds(30), "IntervalHasPassed " + START.plusSeconds(40));
            publisher.clear();
            kit.node(0).close();
            kit.advance(Duration.ofMinutes(2));
            kit.node(0).restart();
            kit.runDue();
            assertThat(publisher.delivered())
                    .extracting(each -> TimeHasPassed.from(each).now())
                    .containsExactlyInAnyOrder(
                            START.plusSeconds(80),
                            START.plusSeconds(120),
                            START.plusSeconds(150),
                            START.plusSeconds(160));
        }
    }

    @Test
    void aPublishedIntervalIsRetriedWithoutEnd() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        publisher.failAlways();
        PassageOfTime.Builder time =
                PassageOfTime.builder().publishEvery(Duration.ofHours(24), "ticks", CatchUp.ALL, publisher);
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofHours(40));
            publisher.recover();
            kit.advance(Duration.ofMinutes(5));
            assertThat(publisher.delivered()).hasSize(1);
        }
    }

    @Test
    void aPublisherIsRetriedWithoutEnd() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        publisher.failAlways();
        PassageOfTime.Builder time =
                PassageOfTime.builder().publish("ticks", CatchUp.ALL, publisher, DayHasPassed.class);
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofHours(40));
            assertThat(publisher.delivered()).isEmpty();
            publisher.recover();
            kit.advance(Duration.ofMinutes(5));
            assertThat(publisher.delivered())
                    .singleElement()
                    .satisfies(each -> assertThat(each.event().dueAt()).isEqualTo(minute(24 * 60)));
        }
    }

    @Test
    void retriesOfPublishedEventsHoldOnTheQueueOfTheTicksOnly() {
        PassageOfTime time = PassageOfTime.builder()
                .publish("ticks", new InMemoryPublisher(), MinuteHasPassed.class)
                .build();
        try (TimerKit kit = TimerKit.builder()
                .configure(scheduler -> scheduler
                        .extension(time)
                        .retry(RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(1))
                        .publisher(batch -> {
                            throw new HandlerException(new IllegalStateException("refused"));
                        }))
                .build()) {
            kit.scheduler()
                    .schedule(Timer.at("a", START)
                            .type("MinuteHasPassed.published")
                            .build());
            kit.runDue();
            assertThat(kit.store().find(TimerKey.of("a")).orElseThrow().state()).isEqualTo(TimerState.DEAD);
        }
    }

    /** A publisher that cannot be compared. */
    private record Unequal(Publisher publisher) implements Publisher {
        @Override
        public void publish(List<Envelope> batch) throws Exception {
            publisher.publish(batch);
        }

        @Override
        public boolean equals(Object other) {
            throw new StackOverflowError();
        }

        @Override
        public int hashCode() {
            throw new StackOverflowError();
        }
    }

    @Test
    void aPublisherThatCannotBeComparedRepeatsNoOtherTick() {
        InMemoryPublisher publisher = new InMemoryPublisher();
        List<TimeHasPassed> handled = new ArrayList<>();
        PassageOfTime.Builder time = PassageOfTime.builder()
                .on(MinuteHasPassed.class, "handled", handled::add)
                .publish("ticks", new Unequal(publisher), MinuteHasPassed.class);
        try (TimerKit kit = kit(time)) {
            kit.advance(Duration.ofMinutes(1));
            assertThat(handled).hasSize(1);
            assertThat(publisher.delivered()).hasSize(1);
        }
    }
}

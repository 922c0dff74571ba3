package dev.duetime.engine.prompt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.Clock;
import dev.duetime.engine.report.Availability;
import dev.duetime.engine.report.Listeners;
import dev.duetime.engine.report.Outage;
import dev.duetime.store.WakeUp;
import dev.duetime.store.WakeUps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The rule that an error, such as a full heap, loses no hint that was read or received. */
class BrokenOffHintTest {
    private static final Instant NOW = Instant.parse("2031-05-06T07:08:09Z");

    private final List<String> woken = new ArrayList<>();
    private boolean fails = true;

    private static final class Stopped implements Clock {
        @Override
        public Instant now() {
            return NOW;
        }

        @Override
        public long nanoTime() {
            return 0;
        }

        @Override
        public Loop start(String name, Pass pass) {
            throw new UnsupportedOperationException("the clock is stopped");
        }
    }

    /** A store with hints for two queues. */
    private static final class TwoHints implements WakeUps {
        @Override
        public List<Sent> sent() {
            return List.of(new Sent("a", 1, NOW), new Sent("b", 1, NOW));
        }

        @Override
        public Optional<Receiver> receive() {
            return Optional.of(new Receiver() {
                @Override
                public List<WakeUp> await(Duration longest) {
                    return List.of(new WakeUp("a", Set.of(), NOW), new WakeUp("b", Set.of(), NOW));
                }

                @Override
                public void close() {
                    // It holds nothing.
                }
            });
        }
    }

    private void wake(String queue) {
        if (fails) {
            fails = false;
            throw new OutOfMemoryError("the heap is full");
        }
        woken.add(queue);
    }

    @Test
    void aHintWhoseWakeUpBrokeOffIsReadAgain() {
        Outage outage = new Outage(new Listeners(List.of()).availability(Availability.STORE), new Random(1));
        WakeUpPoll poll = new WakeUpPoll(
                new TwoHints(), new Stopped(), outage, (queue, dueAt) -> wake(queue), until -> {}, () -> {});
        poll.poll();
        poll.pollNow();

        assertThat(woken).containsExactly("a", "b");
        poll.pollNow();
        assertThat(woken).hasSize(2);
    }

    @Test
    void anErrorAtOneReceivedHintDoesNotLoseTheOthers() {
        PushedWakeUps pushed = new PushedWakeUps(new TwoHints(), new Stopped(), hint -> wake(hint.queue()), () -> {});
        pushed.run();
        assertThatThrownBy(pushed::run).isInstanceOf(OutOfMemoryError.class);

        assertThat(woken).containsExactly("b");
    }

    @Test
    void aHintThatCouldNotBeSentWaitsWhateverWasThrown() {
        List<String> sent = new ArrayList<>();
        WakeUpSender sender = new WakeUpSender(
                new WakeUps() {
                    @Override
                    public void send(Collection<WakeUp> hints) {
                        if (fails) {
                            fails = false;
                            throw new IllegalStateException("no error of a store");
                        }
                        hints.forEach(each -> sent.add(each.queue()));
                    }
                },
                new Stopped());
        sender.add(new WakeUp("a", Set.of(), NOW));
        assertThatThrownBy(sender::sendNow).isInstanceOf(IllegalStateException.class);

        assertThat(sender.isEmpty()).isFalse();
        sender.sendNow();
        assertThat(sent).containsExactly("a");
        assertThat(sender.isEmpty()).isTrue();
    }
}

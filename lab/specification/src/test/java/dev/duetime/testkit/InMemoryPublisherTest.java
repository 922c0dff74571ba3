package dev.duetime.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Payload;
import dev.duetime.TimerKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class InMemoryPublisherTest {
    private final InMemoryPublisher publisher = new InMemoryPublisher();

    private static Envelope envelope(String timerId) {
        return envelope(TimerKey.of(timerId));
    }

    private static Envelope envelope(TimerKey key) {
        DueTimeReached event =
                new DueTimeReached(key, "timer", TestClock.START, TestClock.START, null, null, Payload.NONE);
        return new Envelope("id-" + key, "default", 1, 0, Map.of(), event);
    }

    private static List<Envelope> batch(String... timerIds) {
        return List.of(timerIds).stream().map(InMemoryPublisherTest::envelope).toList();
    }

    private static boolean isBad(Envelope envelope) {
        return envelope.key().timerId().startsWith("bad");
    }

    private List<String> delivered() {
        return publisher.delivered().stream()
                .map(envelope -> envelope.key().timerId())
                .toList();
    }

    @Test
    void keepsWhatItAcceptsInOrder() throws Exception {
        publisher.publish(batch("b", "a"));
        publisher.publish(batch("c"));
        assertThat(delivered()).containsExactly("b", "a", "c");
        assertThat(publisher.calls()).isEqualTo(2);
    }

    @Test
    void findsTheEnvelopesOfOneTimerRepeatsIncluded() throws Exception {
        publisher.publish(batch("a", "b", "a"));
        publisher.publish(List.of(envelope(TimerKey.of("acme", "a"))));
        assertThat(publisher.delivered("a"))
                .hasSize(2)
                .allMatch(each -> each.key().equals(TimerKey.of("a")));
        assertThat(publisher.delivered(TimerKey.of("acme", "a"))).hasSize(1);
        assertThat(publisher.delivered("c")).isEmpty();
    }

    @Test
    void forgetsWhenCleared() throws Exception {
        publisher.publish(batch("a"));
        publisher.clear();
        assertThat(publisher.delivered()).isEmpty();
        assertThat(publisher.calls()).isZero();
    }

    @Test
    void aReturnedListDoesNotChange() throws Exception {
        List<Envelope> before = publisher.delivered();
        publisher.publish(batch("a"));
        assertThat(before).isEmpty();
    }

    @Test
    void failsTheNextCallsAndAcceptsNothingThen() throws Exception {
        publisher.failNext(2);
        assertThatThrownBy(() -> publisher.publish(batch("a"))).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> publisher.publish(batch("b"))).isInstanceOf(IOException.class);
        publisher.publish(batch("c"));
        assertThat(delivered()).containsExactly("c");
        assertThat(publisher.calls()).isEqualTo(3);
    }

    @Test
    void failsUntilItRecovers() throws Exception {
        publisher.failAlways();
        for (int i = 0; i < 1_000; i++) {
            assertThatThrownBy(() -> publisher.publish(batch("a"))).isInstanceOf(IOException.class);
        }
        publisher.recover();
        publisher.publish(batch("b"));
        assertThat(delivered()).containsExactly("b");
    }

    @Test
    void refusesABatchWithPoisonWithoutSayingWhich() throws Exception {
        publisher.failOn(InMemoryPublisherTest::isBad);
        assertThatThrownBy(() -> publisher.publish(batch("a", "bad-1")))
                .isInstanceOf(IOException.class)
                .hasMessageNotContaining("bad-1");
        publisher.publish(batch("b"));
        assertThat(delivered()).containsExactly("b");
        publisher.recover();
        publisher.publish(batch("bad-1"));
        assertThat(delivered()).containsExactly("b", "bad-1");
    }

    @Test
    void namesRefusedEnvelopesIfConfigured() throws Exception {
        publisher.failPartiallyOn(InMemoryPublisherTest::isBad);
        PartialPublishException partial = catchThrowableOfType(
                PartialPublishException.class, () -> publisher.publish(batch("a", "bad-1", "b", "bad-2")));
        assertThat(partial.failures())
                .containsOnlyKeys(envelope("bad-1").id(), envelope("bad-2").id());
        assertThat(delivered()).containsExactly("a", "b");
        publisher.publish(batch("c"));
        assertThat(delivered()).containsExactly("a", "b", "c");
    }

    @Test
    void acceptsWithoutSayingSo() throws Exception {
        publisher.acceptSilently(1);
        assertThatThrownBy(() -> publisher.publish(batch("a", "b"))).isInstanceOf(IOException.class);
        publisher.publish(batch("c"));
        assertThat(delivered()).containsExactly("a", "b", "c");
    }

    @Test
    void handsEachAcceptedEnvelopeToTheHandlerOutsideItsLock() throws Exception {
        List<String> handled = new ArrayList<>();
        publisher.failPartiallyOn(InMemoryPublisherTest::isBad);
        publisher.onEach(envelope -> {
            Thread other = new Thread(publisher::delivered);
            other.start();
            join(other);
            handled.add(envelope.key().timerId());
        });
        assertThatThrownBy(() -> publisher.publish(batch("a", "bad"))).isInstanceOf(PartialPublishException.class);
        assertThat(handled).containsExactly("a");
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void anExceptionOfTheHandlerReachesTheCaller() {
        publisher.onEach(envelope -> {
            throw new IllegalStateException("handler");
        });
        assertThatThrownBy(() -> publisher.publish(batch("a"))).hasMessage("handler");
    }

    @Test
    void refusesNegativeCounts() {
        assertThatThrownBy(() -> publisher.failNext(-1)).hasMessage("times must be at least 0 but was -1");
        assertThatThrownBy(() -> publisher.acceptSilently(-1)).hasMessage("times must be at least 0 but was -1");
        assertThatCode(() -> publisher.publish(batch("a"))).doesNotThrowAnyException();
    }

    @Test
    void losesNothingWhenThreadsPublishAtOnce() {
        List<List<Envelope>> batches =
                IntStream.range(0, 2_000).mapToObj(i -> batch("t-" + i)).toList();
        batches.parallelStream().forEach(this::publish);
        assertThat(publisher.delivered()).hasSize(2_000).doesNotHaveDuplicates();
        assertThat(publisher.calls()).isEqualTo(2_000);
    }

    private void publish(List<Envelope> batch) {
        try {
            publisher.publish(batch);
        } catch (IOException | PartialPublishException e) {
            throw new AssertionError(e);
        }
    }
}

package dev.duetime.examples.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.Payload;
import dev.duetime.PostponedException;
import dev.duetime.TimerKey;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AcknowledgementsTest {
    private static final CompletableFuture<String> ACCEPTED = CompletableFuture.completedFuture("accepted");
    private static final CompletableFuture<String> OPEN = new CompletableFuture<>();
    private static final CompletableFuture<String> FENCED =
            CompletableFuture.failedFuture(new ProducerFencedException("fenced"));
    private static final CompletableFuture<String> TOO_LARGE =
            CompletableFuture.failedFuture(new RecordTooLargeException("too large"));

    @Test
    void whatWasAcceptedIsNotNamed() throws InterruptedException {
        Acknowledgements answers = await(List.of(envelope("1", "a"), envelope("2", "a")), ACCEPTED, ACCEPTED);

        assertThat(answers.failures()).isEmpty();
        assertThat(answers.trouble()).isNull();
        assertThat(answers.repeatsAll()).isFalse();
    }

    @Test
    void aRecordThatIsTooLargeFailsAloneAndIsOvertaken() throws InterruptedException {
        Acknowledgements answers = await(List.of(envelope("1", "a"), envelope("2", "a")), TOO_LARGE, ACCEPTED);

        assertThat(answers.failures()).containsOnlyKeys("1");
        assertThat(answers.failures().get("1")).isInstanceOf(RecordTooLargeException.class);
        assertThat(answers.trouble()).isNull();
    }

    @Test
    void anUnansweredRecordWithoutAKeyIsPostponedAlone() throws InterruptedException {
        Acknowledgements answers = await(List.of(envelope("1", null), envelope("2", "b")), OPEN, ACCEPTED);

        assertThat(answers.failures()).containsOnlyKeys("1");
        assertThat(answers.failures().get("1")).isInstanceOf(PostponedException.class);
        assertThat(answers.repeatsAll()).isFalse();
    }

    @Test
    void anUnansweredRecordWithAKeyRepeatsAllSoThatNoneOvertakesIt() throws InterruptedException {
        Acknowledgements answers = await(List.of(envelope("1", null), envelope("2", "b")), ACCEPTED, OPEN);

        assertThat(answers.repeatsAll()).isTrue();
    }

    @Test
    void aClusterThatAcceptsNothingIsAnOutage() throws InterruptedException {
        Acknowledgements answers = await(List.of(envelope("1", null), envelope("2", null)), FENCED);

        assertThat(answers.repeatsAll()).isTrue();
        assertThat(answers.trouble()).isInstanceOf(ProducerFencedException.class);
    }

    @Test
    void poisonIsNamedEvenIfNothingElseGetsThrough() throws InterruptedException {
        Acknowledgements answers = await(List.of(envelope("1", null), envelope("2", null)), TOO_LARGE, FENCED);

        assertThat(answers.repeatsAll()).isFalse();
        assertThat(answers.failures().get("1")).isInstanceOf(RecordTooLargeException.class);
        assertThat(answers.failures().get("2")).isInstanceOf(PostponedException.class);
    }

    @Test
    void onlyAFailureOfTheWayStopsTheSending() throws InterruptedException {
        assertThat(Acknowledgements.isAway(CompletableFuture.failedFuture(new AuthenticationException("refused"))))
                .isTrue();
        assertThat(Acknowledgements.isAway(TOO_LARGE)).isFalse();
        assertThat(Acknowledgements.isAway(OPEN)).isFalse();
        assertThat(Acknowledgements.isAway(ACCEPTED)).isFalse();
    }

    private static Acknowledgements await(List<Envelope> batch, CompletableFuture<?>... sent)
            throws InterruptedException {
        return Acknowledgements.await(batch, List.of(sent), Duration.ofMillis(1));
    }

    private static Envelope envelope(String id, @Nullable String parallelKey) {
        Instant now = Instant.parse("2026-11-21T10:15:00Z");
        DueTimeReached event = new DueTimeReached(TimerKey.of(id), "event", now, now, null, null, Payload.NONE);
        return new Envelope(id, "default", 1, 0, Map.of(), parallelKey, event);
    }
}

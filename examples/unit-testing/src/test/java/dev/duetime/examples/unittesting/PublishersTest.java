package dev.duetime.examples.unittesting;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Publisher;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

/** The code that docs/publishers.md shows. */
class PublishersTest {
    private final Client client = new Client();
    private final TimerKit kit = TimerKit.builder()
            .configure(settings -> settings.publisher(new BrokerPublisher(client)))
            .build();

    @Test
    void acceptedEnvelopesAreReachedAndTheOthersAreRetried() {
        client.refused.add("b");
        kit.scheduler().schedule(Timer.after("a", Duration.ofMinutes(1)).build());
        kit.scheduler().schedule(Timer.after("b", Duration.ofMinutes(1)).build());

        kit.advance(Duration.ofMinutes(1));

        assertThat(client.accepted).containsExactly("a");
        assertThat(state("a")).isEqualTo(TimerState.REACHED);
        assertThat(state("b")).isEqualTo(TimerState.SCHEDULED);

        client.refused.clear();
        kit.advance(Duration.ofMinutes(1));

        assertThat(client.accepted).containsExactly("a", "b");
        assertThat(state("b")).isEqualTo(TimerState.REACHED);
    }

    @Test
    void aBrokerThatIsAwaySpendsNoAttempt() {
        client.connected = false;
        kit.scheduler().schedule(Timer.after("a", Duration.ofMinutes(1)).build());
        kit.scheduler().schedule(Timer.after("b", Duration.ofMinutes(1)).build());
        kit.advance(Duration.ofMinutes(10));

        client.connected = true;
        kit.advance(Duration.ofSeconds(1));

        assertThat(client.attempts).containsOnly(1);
        assertThat(client.accepted).containsExactly("a", "b");
    }

    private TimerState state(String timerId) {
        return kit.scheduler().find(TimerKey.of(timerId)).orElseThrow().state();
    }

    static final class BrokerPublisher implements Publisher {
        private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(5);

        private final Client client;

        BrokerPublisher(Client client) {
            this.client = client;
        }

        @Override
        public void publish(List<Envelope> batch) throws IOException, PartialPublishException, InterruptedException {
            Map<Envelope, CompletableFuture<Void>> inFlight = new LinkedHashMap<>();
            batch.forEach(envelope -> inFlight.put(envelope, client.send(envelope)));

            Map<String, Throwable> failures = new HashMap<>();
            long deadline = System.nanoTime() + ACKNOWLEDGEMENT.toNanos();
            for (Map.Entry<Envelope, CompletableFuture<Void>> sent : inFlight.entrySet()) {
                try {
                    sent.getValue().get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                } catch (ExecutionException e) {
                    failures.put(sent.getKey().id(), e.getCause());
                } catch (TimeoutException e) {
                    failures.put(sent.getKey().id(), e);
                }
            }
            if (failures.size() == batch.size() && !client.isConnected()) {
                throw new IOException("the broker is away"); // An outage: no attempt is spent.
            }
            if (!failures.isEmpty()) {
                throw new PartialPublishException(failures);
            }
        }
    }

    /** A client of a broker, which acknowledges each message later. */
    static final class Client {
        private final List<String> accepted = new ArrayList<>();
        private final List<Integer> attempts = new ArrayList<>();
        private final Set<String> refused = new HashSet<>();
        private boolean connected = true;

        boolean isConnected() {
            return connected;
        }

        CompletableFuture<Void> send(Envelope envelope) {
            String timerId = envelope.key().timerId();
            if (!connected || refused.contains(timerId)) {
                return CompletableFuture.failedFuture(new IllegalStateException("refused"));
            }
            accepted.add(timerId);
            attempts.add(envelope.attempt());
            return CompletableFuture.completedFuture(null);
        }
    }
}

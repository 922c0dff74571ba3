package dev.duetime.examples.kafka;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Publisher;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A publisher to a topic of Kafka, with an idempotent producer. A record's key is the envelope's parallel key, or else
 * the timer's own key. Its value is the envelope as JSON. The envelope's id is the header {@value #ID}. Thread-safe:
 * several queues may share it, one batch at a time.
 *
 * <p>The producer is given up after any failure that is not of a single record. A producer that was fenced or refused
 * stays unusable, and one that waits for the cluster sends late, together with its own repeat. The next batch opens
 * another one.
 */
final class KafkaPublisher implements Publisher, AutoCloseable {
    /** The header with the envelope's id: the same for every repeat. */
    static final String ID = "duetime-id";
    /** The header with the timer's type. */
    static final String TYPE = "duetime-type";

    /** How long a send may wait for the cluster to say where the topic is. */
    private static final Duration METADATA = Duration.ofSeconds(3);
    /** How long the producer tries to get a record acknowledged, with all its retries. */
    private static final Duration DELIVERY = Duration.ofSeconds(4);
    /** How long the publisher waits for all acknowledgements. Both waits together are shorter than closeTimeout. */
    private static final Duration ACKNOWLEDGEMENT = Duration.ofSeconds(5);

    private final Map<String, Object> config;
    private final String topic;
    private final ReentrantLock lock = new ReentrantLock();

    // Mutable state, guarded by lock.
    private @Nullable Producer<String, String> producer;

    /**
     * Creates a publisher, which connects when it has something to publish.
     *
     * @param config {@code bootstrap.servers} and what else the cluster asks for; the publisher sets what its promises
     *     depend on
     */
    KafkaPublisher(Map<String, Object> config, String topic) {
        this.config = withPromises(config);
        this.topic = topic;
    }

    /** Returns the settings of the producer: those given, and those that the publisher's promises depend on. */
    static Map<String, Object> withPromises(Map<String, Object> given) {
        Map<String, Object> config = new HashMap<>(given);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, METADATA.toMillis());
        config.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) METADATA.toMillis());
        config.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) DELIVERY.toMillis());
        return config;
    }

    /**
     * {@inheritDoc}
     *
     * @throws PartialPublishException naming the records that can never be accepted, and postponing those without an
     *     acknowledgement
     * @throws IOException if nothing was accepted because the cluster is away or refuses this producer, or if a record
     *     with a parallel key was not acknowledged; all of the batch must come again
     */
    @Override
    public void publish(List<Envelope> batch) throws IOException, PartialPublishException, InterruptedException {
        lock.lock();
        try {
            Acknowledgements answers = Acknowledgements.await(batch, send(batch), ACKNOWLEDGEMENT);
            Throwable trouble = answers.trouble();
            if (trouble != null) {
                abandon();
                if (answers.repeatsAll()) {
                    throw new IOException("not all records were accepted", trouble);
                }
            }
            if (!answers.failures().isEmpty()) {
                throw new PartialPublishException(answers.failures());
            }
        } catch (InterruptedException e) {
            abandon();
            throw e;
        } finally {
            lock.unlock();
        }
    }

    /** Closes the producer. */
    @Override
    public void close() {
        lock.lock();
        try {
            abandon();
        } finally {
            lock.unlock();
        }
    }

    /** Sends all records without waiting in between. Returns fewer futures if the cluster is away. */
    private List<Future<RecordMetadata>> send(List<Envelope> batch) throws InterruptedException {
        List<Future<RecordMetadata>> sent = new ArrayList<>();
        for (Envelope envelope : batch) {
            Future<RecordMetadata> future = send(envelope);
            sent.add(future);
            if (Acknowledgements.isAway(future)) {
                // Each further send would wait for the cluster again.
                break;
            }
        }
        return sent;
    }

    private Future<RecordMetadata> send(Envelope envelope) throws InterruptedException {
        try {
            return open().send(toRecord(envelope));
        } catch (InterruptException e) {
            // The client has set the flag again; the engine wants the exception.
            Thread.interrupted();
            throw (InterruptedException) new InterruptedException("interrupted while sending").initCause(e);
        } catch (KafkaException | IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private ProducerRecord<String, String> toRecord(Envelope envelope) {
        String key = Objects.requireNonNullElseGet(envelope.parallelKey(), envelope.key()::toString);
        ProducerRecord<String, String> message =
                new ProducerRecord<>(topic, null, envelope.event().reachedAt().toEpochMilli(), key, envelope.toJson());
        envelope.headers().forEach((name, value) -> message.headers().add(name, bytes(value)));
        message.headers().add(ID, bytes(envelope.id())).add(TYPE, bytes(envelope.type()));
        return message;
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Producer<String, String> open() {
        Producer<String, String> current = producer;
        if (current == null) {
            current = new KafkaProducer<>(config, new StringSerializer(), new StringSerializer());
            producer = current;
        }
        return current;
    }

    /** Gives the producer up, with what it has not sent. */
    private void abandon() {
        Producer<String, String> current = producer;
        producer = null;
        if (current != null) {
            current.close(Duration.ZERO);
        }
    }
}

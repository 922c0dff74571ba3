package dev.duetime.engine;

import dev.duetime.Envelope;
import dev.duetime.PartialPublishException;
import dev.duetime.Publisher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.IntUnaryOperator;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Publishes a batch and, where the publisher only says that it failed, finds out what got through: single envelopes are
 * tried first, to tell an outage from a poison envelope, then halves of the rest, down to the poison ones. Used by one
 * thread.
 */
final class Delivery {
    /** So many single failures in a row, after something got through, mean that the other side has gone meanwhile. */
    private static final int IN_A_ROW = 4;

    private final Publisher publisher;
    private final BiPredicate<Envelope, Throwable> speaksForItself;
    private final RandomGenerator random;
    /** Whether nothing is to be published any more: what is not tried then is left as untouched. */
    private final BooleanSupplier closing;

    private Result result = new Result();
    private int failuresInARow;

    /** Creates a delivery that knows which errors speak of an envelope alone, whatever else gets through. */
    Delivery(
            Publisher publisher,
            BiPredicate<Envelope, Throwable> speaksForItself,
            RandomGenerator random,
            BooleanSupplier closing) {
        this.publisher = publisher;
        this.speaksForItself = speaksForItself;
        this.random = random;
        this.closing = closing;
    }

    /**
     * Publishes the batch.
     *
     * @param beyond what is due after the batch: one of it may be tried, to see over a batch that is poison as a whole
     * @param first whether the batch before got through: then the outermost envelopes are tried, else any
     * @throws InterruptedException if the publisher was interrupted; then nothing is known
     */
    Result publish(List<Envelope> batch, List<Envelope> beyond, boolean first) throws InterruptedException {
        result = new Result();
        failuresInARow = 0;
        Throwable error = tryPublish(batch);
        if (error != null) {
            result.error = error;
            List<Envelope> rest = batch.stream()
                    .filter(each -> !result.failed.containsKey(each.id()))
                    .collect(Collectors.toCollection(ArrayList::new));
            if (rest.size() + beyond.size() > 1) {
                probe(rest, new ArrayList<>(beyond), first);
            }
            if (!result.delivered.isEmpty()) {
                narrow(rest);
            }
        }
        if (result.delivered.isEmpty()) {
            result.failed.keySet().retainAll(result.certain);
        }
        return result;
    }

    /** Tries single envelopes, one near and one far, until one gets through; takes those tried from {@code rest}. */
    private void probe(List<Envelope> rest, List<Envelope> beyond, boolean first) throws InterruptedException {
        probe(rest, size -> first ? 0 : random.nextInt(size));
        List<Envelope> far = beyond.isEmpty() ? rest : beyond;
        if (result.delivered.isEmpty()) {
            probe(far, size -> first ? size - 1 : random.nextInt(size));
        }
    }

    /** Tries single envelopes until one tells about the other side; one whose error speaks for itself tells about itself only. */
    private void probe(List<Envelope> from, IntUnaryOperator choice) throws InterruptedException {
        Throwable error = null;
        while (error == null && result.delivered.isEmpty() && !from.isEmpty() && !closing.getAsBoolean()) {
            Envelope envelope = from.remove(choice.applyAsInt(from.size()));
            error = tryPublish(List.of(envelope));
            if (error != null) {
                result.failed.put(envelope.id(), error);
                result.error = error;
            }
        }
    }

    /**
     * Publishes parts, halving those that fail. Gives up when so many single ones fail in a row that the other side seems to
     * have gone away: they count as failed, so that a run of poison does not stand in the way for ever, the rest as untouched.
     */
    private void narrow(List<Envelope> rest) throws InterruptedException {
        Deque<List<Envelope>> parts = new ArrayDeque<>();
        if (!rest.isEmpty()) {
            parts.push(rest);
        }
        while (!parts.isEmpty() && failuresInARow < IN_A_ROW && !closing.getAsBoolean()) {
            List<Envelope> part = parts.pop();
            Throwable error = tryPublish(part);
            if (error == null) {
                continue;
            }
            if (part.size() == 1) {
                failuresInARow++;
                result.failed.put(part.get(0).id(), error);
            } else {
                int half = part.size() / 2;
                parts.push(part.subList(half, part.size()));
                parts.push(part.subList(0, half));
            }
        }
    }

    /** Publishes once and notes what is certain of single envelopes; returns what went wrong where nothing is known. */
    private @Nullable Throwable tryPublish(List<Envelope> part) throws InterruptedException {
        Envelope first = part.get(0);
        LogContext context = part.size() == 1 ? LogContext.of(first) : LogContext.of(first.queue());
        try {
            publisher.publish(List.copyOf(part));
            delivered(part, Set.of());
            return null;
        } catch (InterruptedException e) {
            throw e;
        } catch (PartialPublishException e) {
            return partial(part, e);
        } catch (Exception | Error e) {
            Fatal.rethrow(e);
            if (Thread.interrupted()) {
                throw interrupted(e);
            }
            return part.size() == 1 && noteCertain(part.get(0), e) ? null : e;
        } finally {
            context.close();
        }
    }

    private boolean noteCertain(Envelope envelope, Throwable error) {
        if (!speaksForItself.test(envelope, error)) {
            return false;
        }
        result.failed.put(envelope.id(), error);
        result.certain.add(envelope.id());
        return true;
    }

    private @Nullable Throwable partial(List<Envelope> part, PartialPublishException partial) {
        Map<String, Throwable> failures = partial.failures();
        Set<String> failed = new HashSet<>();
        part.stream().map(Envelope::id).filter(failures::containsKey).forEach(failed::add);
        // Ids that are not of this batch are some mistake of the publisher's: then nothing is known.
        if (failed.size() < failures.size()) {
            return partial;
        }
        if (failed.size() == part.size()) {
            return all(part, partial, failures);
        }
        delivered(part, failed);
        failed.forEach(id -> result.failed.put(id, failures.getOrDefault(id, partial)));
        return null;
    }

    /** That each failed by itself is what an outage looks like too; only some errors speak for themselves. */
    private @Nullable Throwable all(
            List<Envelope> part, PartialPublishException partial, Map<String, Throwable> failures) {
        int known = 0;
        for (Envelope envelope : part) {
            known += noteCertain(envelope, failures.getOrDefault(envelope.id(), partial)) ? 1 : 0;
        }
        if (known == part.size()) {
            return null;
        }
        return part.size() == 1 ? failures.getOrDefault(part.get(0).id(), partial) : partial;
    }

    private void delivered(List<Envelope> part, Set<String> but) {
        failuresInARow = 0;
        part.stream().map(Envelope::id).filter(id -> !but.contains(id)).forEach(result.delivered::add);
    }

    private static InterruptedException interrupted(Throwable cause) {
        InterruptedException e = new InterruptedException("interrupted while publishing");
        e.initCause(cause);
        return e;
    }

    /** Tells what became of a batch, by envelope id; what is in neither set was not tried to the end. */
    static final class Result {
        final Set<String> delivered = new HashSet<>();
        final Map<String, Throwable> failed = new HashMap<>();
        /** Those of the failed of which that is certain, whether or not anything got through. */
        final Set<String> certain = new HashSet<>();
        /** Why the batch as a whole failed, if it did. */
        @Nullable
        Throwable error;

        /** Returns whether nothing at all got through. */
        boolean isOutage() {
            return delivered.isEmpty();
        }
    }
}

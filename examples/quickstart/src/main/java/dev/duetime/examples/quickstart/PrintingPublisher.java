package dev.duetime.examples.quickstart;

import dev.duetime.Envelope;
import dev.duetime.Publisher;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** A publisher that prints each envelope as JSON, with its lateness. Your publisher sends them to a broker instead. */
final class PrintingPublisher implements Publisher {
    private final PrintStream out;

    PrintingPublisher(PrintStream out) {
        this.out = out;
    }

    @Override
    public void publish(List<Envelope> batch) throws IOException {
        for (Envelope envelope : batch) {
            out.println(envelope.toJson());
            double millis = envelope.event().lateness().toNanos() / 1e6;
            out.printf(Locale.ROOT, "# %s fired %.3f ms after its due time%n", envelope.key(), millis);
        }
        // An envelope that was not written was not delivered; the engine retries it.
        if (out.checkError()) {
            throw new IOException("standard output is closed");
        }
    }
}

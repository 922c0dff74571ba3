package dev.duetime.lab.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Open tabs as a server sees them: each has a stream of its own, and asks for its screen at each beat, as {@code
 * console.js} does. Each belongs to another person.
 */
final class OpenTabs implements AutoCloseable {
    private final HttpClient client = HttpClient.newHttpClient();
    private final URI console;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger answers = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile boolean isClosed;

    OpenTabs(URI console, List<String> screens) {
        this.console = console;
        for (String screen : screens) {
            Thread thread = new Thread(() -> watch(screen), "tab-" + screen);
            thread.setDaemon(true);
            threads.add(thread);
            thread.start();
        }
    }

    private void watch(String screen) {
        try {
            HttpResponse<Void> page =
                    client.send(HttpRequest.newBuilder(console.resolve(screen)).build(), BodyHandlers.discarding());
            String cookie =
                    page.headers().firstValue("set-cookie").orElseThrow().replaceFirst(";.*", "");
            var beats = client.send(
                            HttpRequest.newBuilder(console.resolve("live"))
                                    .header("Cookie", cookie)
                                    .build(),
                            BodyHandlers.ofLines())
                    .body()
                    .iterator();
            while (!isClosed && beats.hasNext()) {
                if (beats.next().startsWith("event: tick")) {
                    ask(screen, cookie);
                }
            }
        } catch (IOException | RuntimeException e) {
            if (!isClosed) {
                refused.incrementAndGet();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void ask(String screen, String cookie) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(console.resolve(screen))
                .header("Cookie", cookie)
                .header("HX-Request", "true")
                .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        (answer.statusCode() == 200 && answer.body().contains("as of") ? answers : refused).incrementAndGet();
    }

    /** Returns how many pages were answered. */
    int answers() {
        return answers.get();
    }

    /** Returns how many were not. */
    int refused() {
        return refused.get();
    }

    @Override
    public void close() {
        isClosed = true;
        threads.forEach(Thread::interrupt);
    }
}

package dev.duetime.examples.timerservice.load;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The timer service, or a program like it, run as a process with the class path of this one. Used by one thread. */
public final class ServiceProcess implements AutoCloseable {
    private static final Pattern ADDRESS = Pattern.compile("http://127\\.0\\.0\\.1:(\\d+) shows");
    private static final int ATTEMPTS = 3_000;

    private final Process process;
    private final Path log;
    private final HttpClient http = HttpClient.newHttpClient();

    private ServiceProcess(Process process, Path log) {
        this.process = process;
        this.log = log;
    }

    /**
     * Starts it; it may not be ready yet.
     *
     * @param program the name of its main class
     * @param log where standard output and error are appended
     * @param variables the variables of its environment in addition to ours
     */
    public static ServiceProcess start(String program, Path log, Map<String, String> variables) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        program)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().put("TIMER_HTTP_PORT", "0");
        builder.environment().putAll(variables);
        return new ServiceProcess(builder.start(), log);
    }

    /** Returns the content of the log, also of earlier processes. */
    public String said() throws IOException {
        return Files.readString(log);
    }

    /**
     * Waits until the process logs that it is ready.
     *
     * @throws IOException if it ends instead, or takes longer than a minute
     */
    public void awaitReady() throws IOException, InterruptedException {
        for (int attempt = 0; !ADDRESS.matcher(said()).find(); attempt++) {
            if (process.waitFor(20, TimeUnit.MILLISECONDS) || attempt == ATTEMPTS) {
                throw new IOException("the service does not start:\n" + said());
            }
        }
    }

    /** Returns the answer to a GET, preceded by its status: {@code 200 …}. */
    public String get(String path) throws IOException, InterruptedException {
        MatchResult address = ADDRESS.matcher(said())
                .results()
                .reduce((earlier, later) -> later)
                .orElseThrow(() -> new IOException("not ready"));
        URI uri = URI.create("http://127.0.0.1:" + address.group(1) + path);
        HttpResponse<String> answer =
                http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
        return answer.statusCode() + " " + answer.body();
    }

    /** Sends SIGTERM and returns the exit status. */
    public int terminate() throws InterruptedException {
        process.destroy();
        return process.waitFor();
    }

    /** Waits until it ends by itself and returns the exit status. */
    public int await() throws InterruptedException {
        return process.waitFor();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}

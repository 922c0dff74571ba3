package dev.duetime.lab.console;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/**
 * A Chromium without a window, driven by the WebDriver protocol of Debian's {@code chromium-driver}. So no library is
 * needed.
 */
final class Browser implements AutoCloseable {
    private static final ObjectMapper JSON = JsonMapper.builder().build();
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process driver;
    private final HttpClient client = HttpClient.newHttpClient();
    private final String session;

    private Browser(Process driver, int port) throws IOException, InterruptedException {
        this.driver = driver;
        String base = "http://localhost:" + port + "/session";
        List<String> arguments = Stream.of(
                        "--headless=new",
                        "--no-sandbox",
                        "--disable-gpu",
                        "--disable-dev-shm-usage",
                        "--hide-scrollbars")
                .toList();
        JsonNode opened = send(
                "POST",
                base,
                Map.of(
                        "capabilities",
                        Map.of(
                                "alwaysMatch",
                                Map.of(
                                        "browserName",
                                        "chrome",
                                        "goog:chromeOptions",
                                        Map.of("binary", binary("chromium"), "args", arguments)))));
        session = base + "/" + opened.get("sessionId").asString();
    }

    /** Shows pages in dark or in light colours. */
    void dark(boolean dark) throws IOException, InterruptedException {
        List<Map<String, String>> scheme =
                List.of(Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light"));
        command("Emulation.setEmulatedMedia", Map.of("features", scheme));
    }

    /** Runs code in each page before the page's own, until the browser is closed. */
    void before(String code) throws IOException, InterruptedException {
        command("Page.addScriptToEvaluateOnNewDocument", Map.of("source", code));
    }

    /** Returns why there is no browser here; null if there is one. */
    static @Nullable String missing() {
        for (String each : new String[] {"chromium", "chromedriver"}) {
            if (!Files.isExecutable(Path.of(binary(each)))) {
                return each + " is not installed: apt-get install chromium chromium-driver";
            }
        }
        return null;
    }

    private static String binary(String name) {
        return "/usr/bin/" + name;
    }

    static Browser open() throws IOException, InterruptedException {
        Process driver = new ProcessBuilder(binary("chromedriver"), "--port=0")
                .redirectErrorStream(true)
                .start();
        var lines = driver.inputReader();
        String line = lines.readLine();
        while (line != null && !line.contains("started successfully on port ")) {
            line = lines.readLine();
        }
        if (line == null) {
            throw new IOException("chromedriver did not start");
        }
        Thread drain = new Thread(() -> lines.lines().forEach(each -> {}), "chromedriver-output");
        drain.setDaemon(true);
        drain.start();
        return new Browser(driver, Integer.parseInt(line.replaceAll("\\D+", "")));
    }

    private JsonNode send(String method, String address, Map<String, ?> body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .timeout(Duration.ofSeconds(60))
                .header("Content-Type", "application/json")
                .method(
                        method,
                        method.equals("POST")
                                ? BodyPublishers.ofString(JSON.writeValueAsString(body))
                                : BodyPublishers.noBody())
                .build();
        JsonNode value = JSON.readTree(
                        client.send(request, BodyHandlers.ofString()).body())
                .get("value");
        if (value.isObject() && value.has("error")) {
            throw new IOException(
                    value.get("error").asString() + ": " + value.get("message").asString());
        }
        return value;
    }

    void go(URI address) throws IOException, InterruptedException {
        send("POST", session + "/url", Map.of("url", address.toString()));
    }

    /** Opens another window beside this one, and turns to it. The windows before stay visible. */
    void window() throws IOException, InterruptedException {
        JsonNode opened = send("POST", session + "/window/new", Map.of("type", "window"));
        send("POST", session + "/window", Map.of("handle", opened.get("handle").asString()));
    }

    void size(int width, int height) throws IOException, InterruptedException {
        Map<String, Object> metrics = Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false);
        command("Emulation.setDeviceMetricsOverride", metrics);
    }

    private void command(String name, Map<String, ?> parameters) throws IOException, InterruptedException {
        send("POST", session + "/goog/cdp/execute", Map.of("cmd", name, "params", parameters));
    }

    /** Types keys into whatever has the focus, as a person without a mouse does. */
    void type(String keys) throws IOException, InterruptedException {
        List<Map<String, String>> strokes = keys.codePoints()
                .mapToObj(Character::toString)
                .flatMap(key ->
                        Stream.of(Map.of("type", "keyDown", "value", key), Map.of("type", "keyUp", "value", key)))
                .toList();
        send(
                "POST",
                session + "/actions",
                Map.of("actions", List.of(Map.of("type", "key", "id", "keyboard", "actions", strokes))));
    }

    JsonNode script(String code) throws IOException, InterruptedException {
        return send("POST", session + "/execute/sync", Map.of("script", code, "args", List.of()));
    }

    /** Runs code that calls the function {@code done} at its end, and returns what it gave it. */
    JsonNode later(String code) throws IOException, InterruptedException {
        String script = "const done = arguments[0]; " + code;
        return send("POST", session + "/execute/async", Map.of("script", script, "args", List.of()));
    }

    /** Waits until code returns true. */
    void until(String code) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!script("return Boolean(" + code + ")").asBoolean()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("must become true: " + code + ", in: " + text());
            }
        }
    }

    String text() throws IOException, InterruptedException {
        return script("return document.body ? document.body.innerText : ''").asString();
    }

    /** Waits until the page shows a text. */
    void await(String text) throws IOException, InterruptedException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!text().contains(text)) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("the page must show '" + text + "' but shows: " + text());
            }
        }
    }

    void screenshot(Path file) throws IOException, InterruptedException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.write(
                file,
                Base64.getDecoder()
                        .decode(send("GET", session + "/screenshot", Map.of()).asString()));
    }

    @Override
    public void close() throws IOException {
        try {
            send("DELETE", session, Map.of());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            driver.destroy();
        }
    }
}

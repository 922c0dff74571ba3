package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.console.Console;
import dev.duetime.console.ConsoleRequest;
import dev.duetime.console.ConsoleResponse;
import dev.duetime.lab.console.StrictPage.Tag;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** A visitor that follows each link and sends each form of a console, and reads each answer by strict rules. */
final class Crawler {
    static final String BASE = "/ops";
    private static final String TOKEN = "abcdefghijklmnopqrstuvwx";
    /** How many addresses with the same names of parameters are visited. */
    private static final int MOST_ALIKE = 12;

    private final Console console;
    private final boolean isFenced;
    private final Deque<Visit> waiting = new ArrayDeque<>();
    private final Set<Visit> seen = new HashSet<>();
    private final Map<String, Integer> alike = new HashMap<>();
    /** The names of parameters of each path that was found. */
    private final Map<String, Set<String>> names = new TreeMap<>();

    private final Map<String, Visit> samples = new TreeMap<>();
    private int answers;

    /** A request: a method, a path below the base, and parameters. */
    record Visit(String method, String path, Map<String, List<String>> parameters) {
        Visit with(String name, List<String> values) {
            Map<String, List<String>> changed = new TreeMap<>(parameters);
            changed.put(name, values);
            return new Visit(method, path, changed);
        }
    }

    /**
     * Creates it.
     *
     * @param isFenced whether it may see nothing of the hidden tenant
     */
    Crawler(Console console, boolean isFenced) {
        this.console = console;
        this.isFenced = isFenced;
    }

    /** Visits all that can be reached from the first page. */
    void crawl() {
        add(new Visit("GET", "/", Map.of()));
        while (!waiting.isEmpty()) {
            Visit next = waiting.remove();
            ConsoleResponse answer = send(next, false);
            if (answer.headers().getOrDefault("Content-Type", "").startsWith("text/html")) {
                follow(StrictPage.of(answer.body(), BASE).tags());
            }
            String to = answer.headers().get("Location");
            if (to != null) {
                assertThat(to).startsWith(BASE + "/").doesNotContain("\r", "\n");
                add(visit(to));
            }
        }
    }

    /** Sends each request that was found again, with each value in each of its parameters. */
    void disturb(List<String> values) {
        for (Visit sample : samples.values()) {
            for (String name : names.getOrDefault(sample.path(), Set.of())) {
                for (String value : values) {
                    send(sample.with(name, List.of(value)), false);
                }
                send(sample.with(name, List.of(values.get(0), values.get(1))), true);
            }
            for (String path : List.of(sample.path() + "/", sample.path() + "/..", sample.path() + "%00")) {
                send(new Visit(sample.method(), path, sample.parameters()), false);
            }
        }
    }

    /** Returns how many answers were read. */
    int answers() {
        return answers;
    }

    /** Returns the paths that were visited. */
    Set<String> paths() {
        return names.keySet();
    }

    private void add(Visit visit) {
        names.computeIfAbsent(visit.path(), path -> new TreeSet<>())
                .addAll(visit.parameters().keySet());
        String kind = visit.method() + visit.path() + visit.parameters().keySet();
        samples.putIfAbsent(kind, visit);
        if (seen.add(visit) && alike.merge(kind, 1, Integer::sum) <= MOST_ALIKE) {
            waiting.add(visit);
        }
    }

    private static Visit visit(String address) {
        String below = address.substring(BASE.length());
        int query = below.indexOf('?');
        Map<String, List<String>> parameters = new TreeMap<>();
        if (query >= 0) {
            for (String each : below.substring(query + 1).split("&", -1)) {
                String[] pair = each.split("=", 2);
                parameters.put(decoded(pair[0]), List.of(decoded(pair[1])));
            }
        }
        return new Visit("GET", query < 0 ? below : below.substring(0, query), parameters);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private void follow(List<Tag> tags) {
        @Nullable Tag form = null;
        Map<String, List<String>> fields = new TreeMap<>();
        List<Tag> buttons = new ArrayList<>();
        for (Tag tag : tags) {
            if (!tag.get("href").isEmpty()
                    && !tag.get("href").contains("/assets/")
                    && tag.get("href").startsWith("/")) {
                add(visit(tag.get("href")));
            }
            if (tag.name().equals("form")) {
                submit(form, fields, buttons);
                form = tag;
                fields = new TreeMap<>();
                buttons = new ArrayList<>();
            } else if (tag.name().equals("button")) {
                buttons.add(tag);
            } else if (tag.name().equals("input") || tag.name().equals("select")) {
                String value = tag.get("pattern").isEmpty() ? tag.get("value") : tag.get("pattern");
                fields.putIfAbsent(tag.get("name"), List.of(value.isEmpty() ? "" : value));
            }
        }
        submit(form, fields, buttons);
    }

    private void submit(@Nullable Tag form, Map<String, List<String>> fields, List<Tag> buttons) {
        if (form == null || form.get("action").isEmpty()) {
            return;
        }
        String method = form.get("method").equals("post") ? "POST" : "GET";
        String path = form.get("action").substring(BASE.length());
        for (Tag button : buttons) {
            Map<String, List<String>> all = new TreeMap<>(fields);
            if (!button.get("name").isEmpty()) {
                all.put(button.get("name"), List.of(button.get("value")));
            }
            add(new Visit(method, path, all));
        }
    }

    /** Sends a request, and checks what holds for each answer. */
    private ConsoleResponse send(Visit visit, boolean isPart) {
        Map<String, List<String>> parameters = new HashMap<>(visit.parameters());
        parameters.putIfAbsent("token", List.of(TOKEN));
        Map<String, String> headers = new HashMap<>(
                Map.of("host", "localhost", "sec-fetch-site", "same-origin", "cookie", "duetime-console=" + TOKEN));
        if (isPart) {
            headers.put("hx-request", "true");
        }
        ConsoleResponse answer = console.answer(new ConsoleRequest(
                visit.method(), visit.path(), parameters, headers, InetAddress.getLoopbackAddress()));
        answers++;
        check(visit, answer);
        ConsoleResponse.Stream stream = answer.stream();
        if (stream != null) {
            stream.close();
        }
        return answer;
    }

    private void check(Visit visit, ConsoleResponse answer) {
        String text = new String(answer.body(), StandardCharsets.UTF_8);
        assertThat(answer.status()).as(() -> visit + " " + text).isIn(200, 303, 400, 403, 404);
        answer.headers().forEach((name, value) -> assertThat(value).as(name).doesNotContain("\r", "\n", "\0"));
        if (answer.headers().getOrDefault("Content-Type", "").startsWith("text/html")) {
            try {
                StrictPage.of(answer.body(), BASE);
            } catch (AssertionError e) {
                throw new AssertionError(visit + ": " + e.getMessage() + " in " + text, e);
            }
        }
        if (answer.status() == 400) {
            assertThat(text).as(visit::toString).doesNotContain("dev.duetime", "java.", "No enum", "Exception");
        }
        assertThat(text).as(visit::toString).doesNotContain("\tat ", HostileTimers.PAYLOAD);
        // What was asked for is repeated in links and fields.
        for (String secret : List.of(HostileTimers.SECRET, HostileTimers.SECRET_TENANT)) {
            if (isFenced && !visit.parameters().toString().contains(secret)) {
                assertThat(text).as(visit::toString).doesNotContain(secret);
            }
        }
    }
}

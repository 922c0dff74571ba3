package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.RetryPolicy;
import dev.duetime.Timer;
import dev.duetime.TimerKey;
import dev.duetime.TimerState;
import dev.duetime.testkit.TimerKit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A console on a kit, and requests to it as a browser sends them. */
abstract class ConsoleKit {
    static final String TOKEN = "abcdefghijklmnopqrstuvwx";
    private static final String RUN = "/run?id=";
    static final Duration HOUR = Duration.ofHours(1);

    final TimerKit kit = TimerKit.builder()
            .configure(settings -> settings.retry(
                            RetryPolicy.fixed(Duration.ofSeconds(1)).maxAttempts(1))
                    .queue("mail", queue -> queue.publisher(batch -> {})))
            .build();
    /** The names of the runs that forms have begun. */
    final List<String> runs = new ArrayList<>();

    final Map<String, String> headers = new HashMap<>(Map.of("host", "localhost:8090"));
    Console console = Console.of(kit.scheduler()).build(Runnable::run, Duration.ZERO);

    /** Serves the console to whoever the grant says. */
    final void grant(Grant given) {
        console = Console.of(kit.scheduler()).access(request -> given).build(Runnable::run, Duration.ZERO);
    }

    final void schedule(TimerKey key, String type) {
        kit.scheduler().schedule(Timer.after(key, HOUR).type(type).build());
    }

    /** Lets timers die while another one gets through. */
    final void dead(TimerKey... keys) {
        kit.publisher().failPartiallyOn(each -> !each.key().timerId().equals("good"));
        kit.scheduler()
                .schedule(Timer.after("good", Duration.ofSeconds(1)).rearm().build());
        for (TimerKey key : keys) {
            kit.scheduler()
                    .schedule(Timer.after(key, Duration.ofSeconds(1))
                            .type("invoice")
                            .build());
        }
        kit.advance(Duration.ofSeconds(5));
        kit.publisher().recover();
        for (TimerKey key : keys) {
            assertThat(state(key)).isEqualTo(TimerState.DEAD);
        }
    }

    final TimerState state(TimerKey key) {
        return kit.store().find(key).orElseThrow().state();
    }

    final ConsoleResponse get(String address) {
        return console.answer(request("GET", address, ""));
    }

    final String page(String address) {
        ConsoleResponse response = get(address);
        assertThat(response.status()).as(body(response)).isEqualTo(200);
        return body(response);
    }

    final ConsoleResponse post(String path, String form) {
        headers.put("cookie", Guard.COOKIE + "=" + TOKEN);
        headers.put("content-type", "application/x-www-form-urlencoded");
        ConsoleResponse answer = console.answer(request("POST", path, "token=" + TOKEN + "&" + form));
        String location = answer.headers().getOrDefault("Location", "");
        if (path.equals("/do/all") && location.contains(RUN)) {
            runs.add(location.substring(location.indexOf(RUN) + RUN.length()));
        }
        return answer;
    }

    /** Returns the page of a run that a form has begun; the first one is number 1. */
    final String run(int number) {
        return RUN + runs.get(number - 1);
    }

    final ConsoleRequest request(String method, String address, String form) {
        URI uri = URI.create(address);
        return Requests.of(
                method,
                console.basePath(),
                uri.getRawPath(),
                uri.getRawQuery(),
                form.getBytes(StandardCharsets.UTF_8),
                headers,
                InetAddress.getLoopbackAddress());
    }

    /** Returns a part of a store that answers some methods, by their names, in another way. */
    static <T> T with(Class<T> type, T intact, Map<String, Answer> others) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    Answer other = others.get(method.getName());
                    if (other != null) {
                        return other.give();
                    }
                    try {
                        return method.invoke(intact, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getTargetException();
                    }
                }));
    }

    @FunctionalInterface
    interface Answer {
        Object give();
    }

    static String body(ConsoleResponse response) {
        return new String(response.body(), StandardCharsets.UTF_8);
    }
}

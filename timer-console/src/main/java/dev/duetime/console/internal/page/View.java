package dev.duetime.console.internal.page;

import dev.duetime.Scheduler;
import dev.duetime.TimerKey;
import dev.duetime.console.ConsoleRequest;
import dev.duetime.console.Grant;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What a page is made from.
 *
 * @param scheduler the scheduler that is shown
 * @param reads the reads of pages that are open for long
 * @param request the request
 * @param grant what the sender may see and do
 * @param links makes addresses
 * @param token the token that each form sends back
 * @param now the scheduler's time
 * @param showsPayloads whether payloads may be shown
 */
public record View(
        Scheduler scheduler,
        SharedReads reads,
        ConsoleRequest request,
        Grant grant,
        Links links,
        String token,
        Instant now,
        boolean showsPayloads) {

    /** What an open page asks for again and again; null if there is no such page. */
    record Part(@Nullable String html) {}

    /** Returns whether an open page asks for the part of it that changes. */
    boolean isPart() {
        return "true".equals(request.header("hx-request"));
    }

    /** Returns this at another time. */
    public View at(Instant other) {
        return new View(scheduler, reads, request, grant, links, token, other, showsPayloads);
    }

    /** Returns this with another token. */
    View withToken(String other) {
        return new View(scheduler, reads, request, grant, links, other, now, showsPayloads);
    }

    /** Returns a parameter of the request; null if it is missing or empty. */
    public @Nullable String parameter(String name) {
        return request.parameter(name);
    }

    /**
     * Returns the key that the parameters name.
     *
     * @throws IllegalArgumentException if they name none
     */
    public TimerKey key() {
        String tenant = parameter("tenant");
        String id = parameter("id");
        if (tenant == null || id == null) {
            throw new IllegalArgumentException("tenant and id must be given");
        }
        String scope = parameter("scope");
        return new TimerKey(tenant, id, scope == null ? "" : scope);
    }

    /**
     * Returns the key that {@link Links#encode} has encoded.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static TimerKey decode(String key) {
        String[] parts = key.split("/", -1);
        if (parts.length != 3) {
            throw new IllegalArgumentException("key must have three parts");
        }
        return new TimerKey(decoded(parts[0]), decoded(parts[1]), decoded(parts[2]));
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part, StandardCharsets.UTF_8);
    }
}

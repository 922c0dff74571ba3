package dev.duetime.console;

import dev.duetime.internal.Trace;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The checks of a request before anybody looks at what it asks for. Thread-safe. */
final class Guard {
    private static final Logger LOG = LoggerFactory.getLogger(Guard.class);
    static final String COOKIE = "duetime-console";

    private static final int TOKEN_BYTES = 18;
    private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9_-]{24}");
    private static final Pattern HOST = Pattern.compile("(\\[[^\\]@]*]|[^:@\\[]+)(?::\\d*)?");
    private static final String ANY = "*";

    /** Beside X-Forwarded-For and the like. */
    private static final Set<String> PROXY_HEADERS =
            Set.of("forwarded", "via", "x-real-ip", "x-original-forwarded-for", "cf-connecting-ip");

    private final Set<String> hosts;
    private final SecureRandom random = new SecureRandom();

    Guard(Set<String> hosts) {
        this.hosts = hosts;
    }

    /**
     * Returns why the request is refused whoever sent it; null if it is not.
     *
     * @param access decides what senders may do; null if only this machine is served
     */
    @Nullable
    String refusal(ConsoleRequest request, @Nullable ConsoleAccess access) {
        String host = host(request.header("host"));
        if (!hosts.contains(ANY) && (host == null || !hosts.contains(host))) {
            return "This console is not served under this name. Its names are set by hosts(…), or duetime.console.hosts.";
        }
        if (access == null && !isLocal(request)) {
            return "Without an access function, the console is served to this machine only.";
        }
        return null;
    }

    /** A request that a proxy passed on comes from elsewhere. */
    private static boolean isLocal(ConsoleRequest request) {
        return request.remote().isLoopbackAddress()
                && request.headers().keySet().stream().noneMatch(Guard::isOfProxy);
    }

    /** Returns whether a proxy adds a header of this name, in lower case. */
    static boolean isOfProxy(String header) {
        return PROXY_HEADERS.contains(header) || header.startsWith("x-forwarded") || header.endsWith("client-ip");
    }

    /** Returns the name without the port; null if there is none, or the header is no host. */
    static @Nullable String host(@Nullable String header) {
        Matcher host = HOST.matcher(header == null ? "" : header);
        return host.matches() ? String.valueOf(host.group(1)).toLowerCase(Locale.ROOT) : null;
    }

    /** Returns what the sender may do: nothing, if the function that decides it fails, or returns null. */
    Grant grant(ConsoleRequest request, @Nullable ConsoleAccess access) {
        if (access == null) {
            return Grant.operate("local");
        }
        try {
            return Objects.requireNonNull(access.of(request), "it must return a grant");
        } catch (RuntimeException e) {
            LOG.warn("the access function of the console failed, the request is refused", Trace.of(e));
            return Grant.none();
        }
    }

    /** Returns whether a page of another site sent the request, as far as the browser says. */
    static boolean isForeign(ConsoleRequest request) {
        String site = request.header("sec-fetch-site");
        return site != null && !site.equals("same-origin") && !site.equals("none");
    }

    /**
     * Returns why a request that changes something is refused; null if it is not. It must come from a page of the
     * console: other sites can neither read the token nor set the cookie.
     */
    @Nullable
    String forgery(ConsoleRequest request) {
        String site = request.header("sec-fetch-site");
        if (site != null && !site.equals("same-origin")) {
            return "The form came from another site.";
        }
        String origin = request.header("origin");
        if (origin != null && !isSame(origin, request.header("host"))) {
            return "The form came from another site.";
        }
        String cookie = request.cookie(COOKIE);
        String token = request.parameter("token");
        boolean matches = cookie != null
                && token != null
                && TOKEN.matcher(cookie).matches()
                && MessageDigest.isEqual(
                        cookie.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
        return matches ? null : "The form is too old. Go back, load the page again, and repeat it.";
    }

    private static boolean isSame(String origin, @Nullable String host) {
        try {
            String authority = URI.create(origin).getAuthority();
            return authority != null && authority.equalsIgnoreCase(host);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    /** Returns the token of the sender's cookie, or a new one. */
    String token(ConsoleRequest request) {
        String cookie = request.cookie(COOKIE);
        if (cookie != null && TOKEN.matcher(cookie).matches()) {
            return cookie;
        }
        byte[] bytes = new byte[TOKEN_BYTES];
        random.nextBytes(bytes);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }
}

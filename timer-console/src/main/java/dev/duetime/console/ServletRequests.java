package dev.duetime.console;

import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.MappingMatch;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Requests made from those of a servlet's server. Thread-safe. */
final class ServletRequests {
    /** An address of IPv6 has a colon; one of IPv4 has digits and dots only. {@code face.de} is a name. */
    private static final Pattern ADDRESS = Pattern.compile("\\[?[0-9a-fA-F.]*:[0-9a-fA-F:.]*(%[^\\]]*)?]?|[0-9.]+");

    private final String fixedBase;

    /**
     * Creates it.
     *
     * @param fixedBase the base path that was set; empty for the one of the mount
     */
    ServletRequests(String fixedBase) {
        this.fixedBase = fixedBase;
    }

    /**
     * Returns what stands before each path, as browsers see it; null if the client has written it in an unusual way.
     * Some servers return the path of the application as the client wrote it. It must not name another host.
     */
    @Nullable
    String base(HttpServletRequest request) {
        if (!fixedBase.isEmpty()) {
            return fixedBase;
        }
        String base = request.getContextPath() + (isDefault(request) ? "" : request.getServletPath());
        return ConsoleBuilder.isBasePath(base) ? base : null;
    }

    private static boolean isDefault(HttpServletRequest request) {
        return request.getHttpServletMapping().getMappingMatch() == MappingMatch.DEFAULT;
    }

    /** Returns the request; null if its form is too large or cannot be read. */
    @Nullable
    ConsoleRequest read(HttpServletRequest request) throws IOException {
        String path = isDefault(request) ? request.getServletPath() : request.getPathInfo();
        Map<String, List<String>> parameters = parameters(request);
        return parameters == null
                ? null
                : new ConsoleRequest(
                        request.getMethod(),
                        path == null || path.isEmpty() ? "/" : path,
                        parameters,
                        headers(request),
                        remote(received(request).getRemoteAddr()));
    }

    /** Returns the request as the server received it. A filter may have hidden what a proxy has added. */
    private static HttpServletRequest received(HttpServletRequest request) {
        ServletRequest received = request;
        while (received instanceof ServletRequestWrapper wrapper) {
            received = wrapper.getRequest();
        }
        return received instanceof HttpServletRequest http ? http : request;
    }

    /** Returns the address; one that is not this machine's if it is a name, which somebody else has written. */
    private static InetAddress remote(@Nullable String address) throws UnknownHostException {
        boolean isName = address != null
                && !address.isEmpty()
                && !ADDRESS.matcher(address).matches();
        return isName ? InetAddress.getByAddress(new byte[4]) : InetAddress.getByName(address);
    }

    /** A filter may have read the form before, so only the server knows what it contains. */
    private static @Nullable Map<String, List<String>> parameters(HttpServletRequest request) throws IOException {
        if (!request.getMethod().equals("POST")) {
            return Requests.parameters(request.getQueryString());
        }
        if (request.getContentLengthLong() > Console.LARGEST_FORM) {
            return null;
        }
        request.setCharacterEncoding("UTF-8");
        Map<String, List<String>> parameters = new HashMap<>();
        try {
            request.getParameterMap().forEach((name, values) -> parameters.put(name, List.of(values)));
        } catch (RuntimeException e) {
            // Each server has its own limits, and its own exception.
            return null;
        }
        return parameters;
    }

    private static Map<String, String> headers(HttpServletRequest request) {
        Map<String, String> headers = new HashMap<>();
        for (String name : Collections.list(request.getHeaderNames())) {
            headers.put(name.toLowerCase(Locale.ROOT), String.join(", ", Collections.list(request.getHeaders(name))));
        }
        for (String name : Collections.list(received(request).getHeaderNames())) {
            if (Guard.isOfProxy(name.toLowerCase(Locale.ROOT))) {
                headers.putIfAbsent("forwarded", "hidden");
            }
        }
        String host = request.getHeader("host");
        if (host != null) {
            String known = authority(request);
            // The server believes a proxy about the name. So the request does not come from this machine.
            if (!String.valueOf(Guard.host(host)).equals(Guard.host(known))) {
                headers.put("forwarded", "host");
            }
            headers.put("host", known);
        }
        return headers;
    }

    /** Returns the host as browsers name it: without the port that the scheme has anyway. */
    private static String authority(HttpServletRequest request) {
        String name = request.getServerName();
        String host = name.contains(":") && !name.startsWith("[") ? "[" + name + "]" : name;
        int usual = request.isSecure() || request.getScheme().equals("https") ? 443 : 80;
        return request.getServerPort() == usual ? host : host + ":" + request.getServerPort();
    }
}

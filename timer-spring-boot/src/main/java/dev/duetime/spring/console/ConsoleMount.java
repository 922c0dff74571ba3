package dev.duetime.spring.console;

import dev.duetime.Scheduler;
import dev.duetime.console.Console;
import dev.duetime.console.ConsoleAccess;
import dev.duetime.console.ConsoleBuilder;
import dev.duetime.console.ConsoleServlet;
import dev.duetime.console.Grant;
import dev.duetime.spring.internal.host.StartRefusedException;
import dev.duetime.spring.properties.DuetimeProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * The console's servlet, made from properties.
 *
 * @param properties the properties of the console
 * @param environment says which address the server has
 * @param loader finds the classes of Spring Security, if they are there
 */
record ConsoleMount(
        DuetimeProperties.Console properties,
        Environment environment,
        @Nullable ClassLoader loader) {
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]+)+");
    static final String SECURITY = "org.springframework.security.web.SecurityFilterChain";

    /** Returns the pattern of the addresses of the console. */
    String mapping() {
        if (!PATH.matcher(properties.path()).matches()) {
            throw new InvalidConfigurationPropertyValueException(
                    "duetime.console.path",
                    properties.path(),
                    "path must be like /ops/duetime but was " + properties.path());
        }
        return properties.path() + "/*";
    }

    /**
     * Returns the servlet.
     *
     * @param access decides who may do what; null for the roles of Spring Security, if it is there
     * @throws IllegalStateException if other machines could use the console, and nothing says who may
     */
    ConsoleServlet servlet(Scheduler scheduler, @Nullable ConsoleAccess access) {
        ConsoleBuilder console = Console.of(scheduler).hosts(properties.hosts().toArray(String[]::new));
        setBasePath(console);
        if (properties.showPayloads()) {
            console.showPayloads();
        }
        if (access != null) {
            return new ConsoleServlet(console.access(access));
        }
        if (ClassUtils.isPresent(SECURITY, loader)) {
            return new ConsoleServlet(console, this::byRole);
        }
        if (!isLocal(environment.getProperty("server.address"))) {
            throw new StartRefusedException(
                    "duetime.console.enabled is true, and other machines can reach the server, but nothing says who may"
                            + " use the console",
                    "add Spring Security or a bean of type ConsoleAccess, or set server.address to localhost");
        }
        return new ConsoleServlet(console);
    }

    private void setBasePath(ConsoleBuilder console) {
        try {
            console.basePath(properties.basePath());
        } catch (IllegalArgumentException e) {
            throw new InvalidConfigurationPropertyValueException(
                    "duetime.console.base-path", properties.basePath(), e.getMessage());
        }
    }

    private static boolean isLocal(@Nullable String address) {
        try {
            return address != null && InetAddress.getByName(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Spring Security has wrapped the request, so it knows the user. */
    private Grant byRole(HttpServletRequest request) {
        String user = request.getRemoteUser();
        if (user == null) {
            return Grant.none();
        }
        if (request.isUserInRole(properties.operateRole())) {
            return Grant.operate(user);
        }
        return request.isUserInRole(properties.readRole()) ? Grant.read(user) : Grant.none();
    }
}

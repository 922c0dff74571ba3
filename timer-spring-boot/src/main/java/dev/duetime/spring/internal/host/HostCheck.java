package dev.duetime.spring.internal.host;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.duetime.JacksonCodec;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;

/** Checks that the libraries of the application have versions with which Duetime runs. */
public final class HostCheck {
    private static final int OLDEST_MINOR_OF_3 = 5;

    private HostCheck() {}

    /**
     * Checks the version of Spring Boot.
     *
     * @throws UnsupportedHostException if it is older than 3.5
     */
    public static void springBoot() {
        springBoot(SpringBootVersion.getVersion());
    }

    /** Checks a version; null if it is unknown. */
    public static void springBoot(@Nullable String version) {
        if (version != null && !isSupported(version)) {
            throw new UnsupportedHostException(
                    "Spring Boot must be 3.5 or 4 for Duetime but was " + version,
                    "Upgrade Spring Boot, or build the Scheduler without timer-spring-boot.");
        }
    }

    /** Versions that cannot be read are taken as new ones. */
    private static boolean isSupported(String version) {
        String[] parts = version.split("\\.", -1);
        try {
            int major = Integer.parseInt(parts[0]);
            return major > 3 || (major == 3 && Integer.parseInt(parts[1]) >= OLDEST_MINOR_OF_3);
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
            return true;
        }
    }

    /**
     * Checks that Jackson 3 finds annotations of its version.
     *
     * @throws UnsupportedHostException if they are older, as those that Spring Boot 3.5 manages
     */
    public static void jackson() {
        try {
            JacksonCodec.standard().encode("");
        } catch (LinkageError | IllegalStateException e) {
            String found = JsonProperty.class.getPackage().getImplementationVersion();
            throw new UnsupportedHostException(
                    "jackson-annotations must be 2.22 or later for Jackson 3 but was " + found,
                    "Add com.fasterxml.jackson.core:jackson-annotations with version 2.22 to the dependencies of the"
                            + " application. Spring Boot 3.5 manages an older one; Jackson 2 works with the newer one,"
                            + " too.");
        }
    }
}

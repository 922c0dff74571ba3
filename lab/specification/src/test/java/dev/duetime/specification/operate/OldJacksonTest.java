package dev.duetime.specification.operate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.StringTokenizer;
import org.junit.jupiter.api.Test;

/** Many programs manage annotations of Jackson 2 that are older than those that Jackson 3 needs. */
class OldJacksonTest {
    /** An annotation that is new in 2.22. */
    private static final String NEW = "com.fasterxml.jackson.annotation.JsonSerializeAs";

    /** All of the class path once more, without the new annotation. */
    private static final class OldClassPath extends URLClassLoader {
        OldClassPath(URL[] jars) {
            super(jars, ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.equals(NEW)) {
                throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
        }
    }

    private static URL[] jars() throws IOException {
        List<URL> jars = new ArrayList<>();
        StringTokenizer paths = new StringTokenizer(System.getProperty("java.class.path"), File.pathSeparator);
        while (paths.hasMoreTokens()) {
            jars.add(Path.of(paths.nextToken()).toUri().toURL());
        }
        return jars.toArray(new URL[0]);
    }

    @Test
    void theErrorNamesTheVersionThatIsNeeded() throws IOException, ReflectiveOperationException {
        try (OldClassPath old = new OldClassPath(jars())) {
            Method builder = old.loadClass("dev.duetime.Scheduler").getMethod("builder");

            for (int attempt = 1; attempt <= 2; attempt++) {
                assertThatThrownBy(() -> builder.invoke(null))
                        .cause()
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("jackson-annotations must be 2.22 or later");
            }
        }
    }
}

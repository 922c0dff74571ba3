package dev.duetime.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.properties.HasName;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A check that the testkit links with each JUnit and AssertJ that docs/testing.md names, although it is compiled with
 * one of them. The build copies their jars.
 */
class TestkitLibrariesTest {
    private static final Path JARS = Path.of("target", "libraries-of-users");
    private static final Path PAGE = Path.of("..", "..", "docs", "testing.md");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `org\\.[\\w.]+:([\\w-]+)` \\| [\\d.]+ \\| (.*) \\|$");

    static Stream<Path> jars() throws IOException {
        try (Stream<Path> found = Files.list(JARS)) {
            return found.sorted().toList().stream();
        }
    }

    @Test
    void theJarsAreThoseOfThePage() throws IOException {
        Set<String> named = new TreeSet<>();
        ROW.matcher(Files.readString(PAGE)).results().forEach(row -> {
            String artifact = row.group(1).equals("junit-jupiter") ? "junit-jupiter-api" : row.group(1);
            for (String version : row.group(2).split(", ", -1)) {
                named.add(artifact + "-" + version + ".jar");
            }
        });

        assertThat(jars().map(jar -> String.valueOf(jar.getFileName()))).containsExactlyElementsOf(named);
    }

    @ParameterizedTest
    @MethodSource("jars")
    void whatTheTestkitCallsIsThere(Path jar) throws IOException, ClassNotFoundException {
        String library = jar.getFileName().toString().startsWith("junit") ? "org.junit." : "org.assertj.";
        Set<String> missing = new TreeSet<>();
        int calls = 0;
        try (URLClassLoader loader = new URLClassLoader(
                new URL[] {jar.toUri().toURL(), exceptions()}, ClassLoader.getPlatformClassLoader())) {
            for (JavaClass from : testkit()) {
                for (JavaCodeUnitAccess<?> call : from.getCodeUnitAccessesFromSelf()) {
                    CodeUnitAccessTarget target = call.getTarget();
                    if (target.getOwner().getName().startsWith(library)) {
                        calls++;
                        if (!isThere(target, loader)) {
                            missing.add(target.getFullName() + " of " + from.getSimpleName());
                        }
                    }
                }
                from.getDirectDependenciesFromSelf().stream()
                        .map(arrow ->
                                arrow.getTargetClass().getBaseComponentType().getName())
                        .filter(name -> name.startsWith(library) && !isThere(name, loader))
                        .forEach(missing::add);
            }
        }

        assertThat(missing).isEmpty();
        assertThat(calls).as("calls of the library").isPositive();
    }

    /** Returns the jar of the exceptions that signatures of JUnit name, the same for all its versions. */
    private static URL exceptions() throws ClassNotFoundException {
        return Class.forName("org.opentest4j.TestAbortedException")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation();
    }

    private static List<JavaClass> testkit() {
        return ArchitectureTest.CLASSES.stream()
                .filter(type ->
                        type.getSource().orElseThrow().getUri().toString().contains("/timer-testkit/"))
                .toList();
    }

    private static boolean isThere(String type, ClassLoader loader) {
        try {
            Class.forName(type, false, loader);
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns whether a type has a method or constructor of this very form, as a class file wants it. */
    private static boolean isThere(CodeUnitAccessTarget target, ClassLoader loader) {
        try {
            Class<?> owner = Class.forName(target.getOwner().getName(), false, loader);
            Stream<? extends Executable> members = target.getName().equals("<init>")
                    ? Arrays.stream(owner.getDeclaredConstructors())
                    : methods(owner)
                            .filter(method -> method.getName().equals(target.getName())
                                    && method.getReturnType()
                                            .getName()
                                            .equals(target.getRawReturnType().getName()));
            List<String> parameters =
                    target.getRawParameterTypes().stream().map(HasName::getName).toList();
            return members.anyMatch(member -> Arrays.stream(member.getParameterTypes())
                    .map(Class::getName)
                    .toList()
                    .equals(parameters));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    /** Returns the methods that subclasses may call, too. */
    private static Stream<Method> methods(Class<?> type) {
        Stream<Method> own = Stream.concat(Arrays.stream(type.getMethods()), Arrays.stream(type.getDeclaredMethods()));
        Class<?> parent = type.getSuperclass();
        return parent == null ? own : Stream.concat(own, methods(parent));
    }
}

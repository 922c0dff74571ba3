package dev.duetime.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A check that each jar names for GraalVM what it loads by name: files of its own, classes and methods. It walks all
 * our classes for calls that load by name, and all our files.
 */
class ReachabilityTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** Methods that find a class or a member by its name. */
    private static final Set<String> BY_NAME = Set.of(
            "java.lang.Class.forName",
            "java.lang.Class.getConstructor",
            "java.lang.Class.getDeclaredConstructor",
            "java.lang.Class.getDeclaredField",
            "java.lang.Class.getDeclaredMethod",
            "java.lang.Class.getField",
            "java.lang.Class.getMethod",
            "java.lang.Class.getMethods",
            "java.lang.Class.getDeclaredMethods",
            "java.lang.ClassLoader.loadClass",
            "java.lang.invoke.MethodHandles$Lookup.findStatic",
            "java.lang.invoke.MethodHandles$Lookup.findVirtual",
            "java.lang.reflect.Proxy.newProxyInstance",
            "java.util.ServiceLoader.load",
            "org.springframework.util.ClassUtils.forName",
            "org.springframework.util.ClassUtils.isPresent");

    /** Classes whose names are in the metadata of their jar. */
    private static final Set<String> NAMED =
            Set.of("VirtualThreads", "Notifications", "KnownPools", "RaisedInFunction", "MySqlBatches", "FlywayModule");

    /**
     * Classes that need no metadata. {@code EngineClasses} finds no list in an image, where classes are initialized in
     * another way. {@code Listeners} asks for samples if the method of a listener is not registered. Hints of Spring
     * name what {@code ConsoleMount} looks for.
     */
    private static final Set<String> NEED_NONE = Set.of("EngineClasses", "Listeners", "ConsoleMount");

    /** Classes that open files of their jar. */
    private static final Set<String> OPEN_FILES = Set.of("EngineClasses", "SqlFiles", "MigrationFiles", "Assets");

    private static final Pattern CLASS_NAME = Pattern.compile("[a-z]\\w*(\\.[a-z]\\w*)+(\\.[A-Z][\\w$]*)");
    /** Files that an image leaves out. */
    private static final Pattern LISTS = Pattern.compile("dev/duetime/engine/classes[a-z-]*\\.txt");
    /** Getters of rare pools: without metadata the size of such a pool is unknown, and nothing else changes. */
    private static final Set<String> RARE =
            Set.of("getMaxPoolSize", "getPoolMaxSize", "getDataSource", "getWrappedDataSource");

    private static boolean isOurs(JavaClass type) {
        String name = type.getPackageName();
        return !name.startsWith("dev.duetime.lab")
                && !name.startsWith("dev.duetime.examples")
                && !name.startsWith("dev.duetime.testkit");
    }

    private static Set<String> callers(Pattern method) {
        Set<String> callers = new TreeSet<>();
        for (JavaClass from : ArchitectureTest.CLASSES) {
            for (JavaMethodCall call : from.getMethodCallsFromSelf()) {
                String name = call.getTargetOwner().getName() + "." + call.getName();
                if (isOurs(from) && method.matcher(name).matches()) {
                    callers.add(ArchitectureTest.topLevel(from));
                }
            }
        }
        return callers;
    }

    private static Pattern anyOf(Set<String> names) {
        return Pattern.compile(
                String.join("|", names.stream().map(Pattern::quote).toList()));
    }

    private static JsonNode metadata(String module) throws IOException {
        return JSON.readTree(Files.readString(ROOT.resolve(module)
                .resolve("target/classes/META-INF/native-image/dev.duetime")
                .resolve(module)
                .resolve("reachability-metadata.json")));
    }

    /** Returns the types that a jar names, each with its methods. */
    private static Map<String, Set<String>> types(String module) throws IOException {
        Map<String, Set<String>> types = new TreeMap<>();
        metadata(module).path("reflection").forEach(type -> {
            Set<String> methods = types.computeIfAbsent(type.get("type").asString(), name -> new TreeSet<>());
            type.path("methods")
                    .forEach(method -> methods.add(method.get("name").asString()));
        });
        return types;
    }

    private static Set<String> constants(JavaClass type) throws IOException {
        try (InputStream file = type.getSource().orElseThrow().getUri().toURL().openStream()) {
            return StringConstants.of(file);
        }
    }

    @Test
    void onlyKnownClassesFindOthersByName() {
        Set<String> known = new TreeSet<>(NAMED);
        known.addAll(NEED_NONE);

        assertThat(callers(anyOf(BY_NAME))).isEqualTo(known);
    }

    @Test
    void onlyKnownClassesOpenFilesOfTheJar() {
        assertThat(callers(Pattern.compile("java\\.lang\\.Class(Loader)?\\.getResource\\w*")))
                .isEqualTo(OPEN_FILES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"timer-core", "timer-jdbc"})
    void everyNameThatIsLoadedIsInTheMetadata(String module) throws IOException {
        Map<String, Set<String>> types = types(module);
        Set<String> methods = new TreeSet<>(RARE);
        types.values().forEach(methods::addAll);
        List<String> missing = new ArrayList<>();
        int loaded = 0;
        for (JavaClass each : ArchitectureTest.CLASSES) {
            boolean isHere = each.getSource().orElseThrow().getUri().toString().contains("/" + module + "/");
            if (isHere && NAMED.contains(each.getSimpleName())) {
                for (String text : constants(each)) {
                    boolean isClass = CLASS_NAME.matcher(text).matches() && !text.startsWith("dev.duetime");
                    boolean isGetter = each.getSimpleName().equals("KnownPools")
                            && text.matches("(get|evict|invalidate)[A-Z]\\w+")
                            && !Set.of("getClass", "getLogger", "getMethod").contains(text);
                    loaded += isClass || isGetter ? 1 : 0;
                    if ((isClass && !types.containsKey(text)) || (isGetter && !methods.contains(text))) {
                        missing.add(each.getSimpleName() + " loads " + text);
                    }
                }
            }
        }

        assertThat(missing).isEmpty();
        assertThat(loaded).as("names that classes load").isPositive();
    }

    @Test
    void theMethodsThatClassesCallAreInTheMetadata() throws IOException {
        assertThat(types("timer-core"))
                .containsEntry("java.lang.Thread", Set.of("ofVirtual"))
                .containsEntry("java.lang.Thread$Builder", Set.of("factory"));
        assertThat(types("timer-jdbc"))
                .containsEntry("org.postgresql.PGConnection", Set.of("getNotifications"))
                .containsEntry("org.postgresql.PGNotification", Set.of("getParameter"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"timer-core", "timer-jdbc"})
    void everyConditionIsAClassOfOurs(String module) throws IOException {
        Set<String> ours = new TreeSet<>();
        ArchitectureTest.CLASSES.forEach(each -> ours.add(each.getName()));

        assertThat(metadata(module)
                        .get("reflection")
                        .valueStream()
                        .map(each -> each.at("/condition/typeReached").asString()))
                .isNotEmpty()
                .allMatch(ours::contains);
    }

    @ParameterizedTest
    @ValueSource(strings = {"timer-core", "timer-jdbc", "timer-console"})
    void everyFileOfTheJarIsInTheMetadata(String module) throws IOException {
        Path classes = ROOT.resolve(module).resolve("target/classes");
        List<String> files;
        try (Stream<Path> found = Files.walk(classes.resolve("dev"))) {
            files = found.filter(Files::isRegularFile)
                    .map(file -> classes.relativize(file).toString().replace('\\', '/'))
                    .filter(file ->
                            !file.endsWith(".class") && !LISTS.matcher(file).matches())
                    .toList();
        }
        List<String> globs = metadata(module)
                .path("resources")
                .valueStream()
                .map(each -> each.get("glob").asString())
                .toList();

        assertThat(files).allMatch(file -> globs.stream().anyMatch(glob -> matches(glob, file)));
        assertThat(globs).allMatch(glob -> files.stream().anyMatch(file -> matches(glob, file)));
    }

    private static boolean matches(String glob, String file) {
        return FileSystems.getDefault().getPathMatcher("glob:" + glob).matches(Path.of(file));
    }
}

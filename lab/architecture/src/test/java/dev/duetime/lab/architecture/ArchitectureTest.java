package dev.duetime.lab.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A check of the packages of every module against docs/architecture.md. Its rows are in order, from top to bottom. */
class ArchitectureTest {
    private static final Path ROOT = Path.of("..", "..");
    private static final String PAGE = read(ROOT.resolve("docs/architecture.md"));
    private static final Rooms ROOMS = Rooms.of(PAGE);
    static final List<JavaClass> CLASSES = new ClassFileImporter()
            .importPaths(modules().toArray(Path[]::new)).stream()
                    .filter(each -> each.getPackageName().startsWith("dev.duetime"))
                    .filter(each -> !each.getSimpleName().endsWith("-info"))
                    .filter(each -> !each.getPackageName().endsWith(".jmh_generated"))
                    .toList();

    /**
     * Types a package may hold, but for those that are meant to be long lists: what users see, and what a store does.
     */
    private static final int MOST_TYPES = 25;

    private static final Map<String, Integer> LONGER =
            Map.of("dev.duetime", 40, "dev.duetime.store", 30, "dev.duetime.testkit.contract", Integer.MAX_VALUE);

    private static final Pattern TYPE_NAME = Pattern.compile("`([A-Z]\\w*[a-z]\\w*)`");

    @Test
    void everyPackageIsDrawn() {
        assertThat(CLASSES).isNotEmpty();
        Set<String> undrawn = CLASSES.stream()
                .filter(each ->
                        ROOMS.level(each.getPackageName(), topLevel(each)).isEmpty())
                .map(JavaClass::getPackageName)
                .collect(Collectors.toSet());
        assertThat(undrawn)
                .as("packages that are no row of docs/architecture.md")
                .isEmpty();
    }

    @Test
    void everyDrawnPackageExists() {
        assertThat(ROOMS.rooms())
                .allSatisfy(room -> assertThat(CLASSES)
                        .as("types of %s", room)
                        .anyMatch(each -> room.holds(each.getPackageName(), topLevel(each))));
    }

    @Test
    void everyArrowPointsDownward() {
        Set<String> upward = new TreeSet<>();
        for (JavaClass from : CLASSES) {
            for (Dependency arrow : from.getDirectDependenciesFromSelf()) {
                JavaClass to = arrow.getTargetClass().getBaseComponentType();
                if (to.getPackageName().startsWith("dev.duetime") && isUpward(from, to)) {
                    upward.add(topLevel(from) + " (" + from.getPackageName() + ") -> " + topLevel(to) + " ("
                            + to.getPackageName() + ")");
                }
            }
        }
        assertThat(upward).as("arrows that point upward").isEmpty();
    }

    private static boolean isUpward(JavaClass from, JavaClass to) {
        return ROOMS.level(to.getPackageName(), topLevel(to)).orElse(Integer.MAX_VALUE)
                < ROOMS.level(from.getPackageName(), topLevel(from)).orElse(-1);
    }

    @Test
    void noPackageHoldsTooManyTypes() {
        Map<String, Set<String>> types = new TreeMap<>();
        CLASSES.forEach(each -> types.computeIfAbsent(each.getPackageName(), unknown -> new TreeSet<>())
                .add(topLevel(each)));
        types.forEach(
                (name, of) -> assertThat(of).as(name).hasSizeLessThanOrEqualTo(LONGER.getOrDefault(name, MOST_TYPES)));
    }

    @Test
    void whatOfTheTestkitMayStillChangeIsMarked() {
        Pattern mayChange = Pattern.compile("dev\\.duetime\\.testkit\\.(contract|fault|simulation.*)");
        List<JavaClass> types = CLASSES.stream()
                .filter(each -> mayChange.matcher(each.getPackageName()).matches())
                .filter(each -> each.isTopLevelClass() && each.getModifiers().contains(JavaModifier.PUBLIC))
                .toList();
        assertThat(types)
                .isNotEmpty()
                .allSatisfy(each -> assertThat(each.isAnnotatedWith("dev.duetime.Beta"))
                        .as("%s is marked", each.getName())
                        .isTrue());
    }

    @Test
    void everyTypeThatThePageNamesExists() {
        Set<String> known = CLASSES.stream().map(JavaClass::getSimpleName).collect(Collectors.toSet());
        known.add(ArchitectureTest.class.getSimpleName());
        known.add(UserCodeTest.class.getSimpleName());
        assertThat(TYPE_NAME.matcher(PAGE).results().map(each -> each.group(1)))
                .isNotEmpty()
                .allSatisfy(each -> assertThat(known).contains(each));
    }

    static String topLevel(JavaClass type) {
        String name = type.getName().substring(type.getPackageName().length() + 1);
        int nested = name.indexOf('$');
        return nested < 0 ? name : name.substring(0, nested);
    }

    /** Returns where the classes of each module are: this module is built last. */
    private static List<Path> modules() {
        try (Stream<Path> found = Files.find(ROOT, 4, (path, attributes) -> path.endsWith("target/classes"))) {
            return found.toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path path) {
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

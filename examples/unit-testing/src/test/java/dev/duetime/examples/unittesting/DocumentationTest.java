package dev.duetime.examples.unittesting;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A test that keeps the documentation true. Every block of Java in it is, word by word, part of a test that passes or
 * of an example that tests run. A reader who copies a block finds on the same page what to import.
 */
class DocumentationTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Pattern IMPORT = Pattern.compile("(?m)^import .*;$");
    private static final Pattern NAME = Pattern.compile("(?<![.\\w])[A-Z]\\w+");

    /** Texts and comments. */
    private static final Pattern NO_CODE = Pattern.compile("\"[^\"\n]*\"|//.*");

    @Test
    void everyBlockOfJavaInTheDocumentationIsARegionOfATestOrAnExample() throws IOException {
        List<String> tests = new ArrayList<>();
        for (Path test : files(ROOT, ".java")) {
            if (test.toString().contains("src/test/java") || test.startsWith(ROOT.resolve("examples"))) {
                tests.add(compact(Files.readString(test)));
            }
        }
        List<String> blocks = new ArrayList<>();
        List<String> invented = new ArrayList<>();
        for (Path page : files(ROOT, ".md")) {
            JAVA.matcher(Files.readString(page))
                    .results()
                    .map(each -> each.group(1))
                    .forEach(block -> {
                        blocks.add(block);
                        if (tests.stream().noneMatch(test -> test.contains(compact(block)))) {
                            invented.add(page + ":\n" + block);
                        }
                    });
        }

        assertThat(blocks).hasSizeGreaterThanOrEqualTo(3);
        assertThat(invented).isEmpty();
    }

    @Test
    void everyPageNamesThePackagesOfTheTypesInItsBlocks() throws IOException {
        Map<String, Set<String>> packages = packages();
        List<String> missing = new ArrayList<>();
        for (Path page : files(ROOT, ".md")) {
            String text = Files.readString(page);
            String prose = IMPORT.matcher(text).replaceAll("");
            Set<String> names = new TreeSet<>();
            JAVA.matcher(text)
                    .results()
                    .forEach(block -> NAME.matcher(
                                    NO_CODE.matcher(block.group(1)).replaceAll(""))
                            .results()
                            .forEach(name -> names.add(name.group())));
            for (String name : names) {
                Set<String> of = packages.getOrDefault(name, Set.of());
                if (!of.isEmpty() && of.stream().noneMatch(each -> isNamed(each, name, text, prose))) {
                    missing.add(page + ": " + name + " of " + of);
                }
            }
        }

        assertThat(packages).containsKeys("Scheduler", "JdbcScheduleStore", "TimerKit", "OnTimer");
        assertThat(missing).isEmpty();
    }

    /** Whether a page has the import of a type, or says which types are in its package. */
    private static boolean isNamed(String packageName, String type, String text, String prose) {
        return text.contains(packageName + "." + type) || prose.contains("`" + packageName + "`");
    }

    /** Returns the packages of each public type that we release, by its simple name. */
    private static Map<String, Set<String>> packages() throws IOException {
        Map<String, Set<String>> found = new HashMap<>();
        for (Path file : files(ROOT, ".java")) {
            String path = ROOT.relativize(file).toString();
            if (path.matches("timer-[^/]*/src/main/java/.*") && !path.matches(".*/(internal|engine)/.*")) {
                String name = file.getFileName().toString().replace(".java", "");
                String source = Files.readString(file);
                if (source.matches("(?s).*\npublic [\\w@ -]*\\b(class|interface|record|enum) " + name + "\\b.*")) {
                    String of =
                            path.replaceAll(".*/src/main/java/(.*)/[^/]*", "$1").replace('/', '.');
                    found.computeIfAbsent(name, each -> new TreeSet<>()).add(of);
                }
            }
        }
        return found;
    }

    private static List<Path> files(Path folder, String ending) throws IOException {
        try (Stream<Path> paths = Files.walk(folder)) {
            return paths.filter(path -> path.toString().endsWith(ending))
                    .filter(path -> !path.toString().contains("/target/"))
                    .toList();
        }
    }

    /** Removes white space, because lines of the documentation are shorter. */
    private static String compact(String text) {
        return text.replaceAll("\\s+", "");
    }
}

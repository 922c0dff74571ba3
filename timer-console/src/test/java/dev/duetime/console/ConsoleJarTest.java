package dev.duetime.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The rule that the console brings its users no further library. */
class ConsoleJarTest {
    private static final Pattern DEPENDENCY = Pattern.compile("(?s)<dependency>(.*?)</dependency>");
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*?)</artifactId>");

    /** Returns what users of a module get with it. */
    private static List<String> compiled(Path pom) throws IOException {
        List<String> names = new ArrayList<>();
        Matcher each = DEPENDENCY.matcher(Files.readString(pom));
        while (each.find()) {
            Matcher artifact = ARTIFACT.matcher(each.group(1));
            if (artifact.find()
                    && !each.group(1).contains("<scope>")
                    && !each.group(1).contains("<optional>true")) {
                names.add(artifact.group(1));
            }
        }
        return names;
    }

    @Test
    void theConsoleBringsNoMoreThanTheCoreHas() throws IOException {
        List<String> core = compiled(Path.of("..", "timer-core", "pom.xml"));

        assertThat(core).containsExactlyInAnyOrder("slf4j-api", "jackson-databind", "jspecify");
        core.add("timer-core");
        assertThat(core).containsAll(compiled(Path.of("pom.xml")));
    }
}

package dev.duetime.lab.compatibility;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which changes count as breaks, on small classes. */
class ApiBreaksTest {
    @TempDir
    Path directory;

    private Path compiled(String name, String packageName, String source) throws IOException {
        Path classes = Files.createDirectories(directory.resolve(name));
        Path file = classes.resolve("Api.java");
        Files.writeString(file, "package " + packageName + "; " + source);
        int exit = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-proc:none", "-d", classes.toString(), file.toString());
        assertThat(exit).as("exit of the compiler").isZero();
        return classes;
    }

    private Set<String> breaks(String packageName, String former, String latter) throws IOException {
        return ApiBreaks.between(
                compiled("former", packageName, former), compiled("latter", packageName, latter), directory);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.duetime",
                "dev.duetime.jdbc",
                "dev.duetime.testkit",
                "dev.duetime.console",
                "dev.duetime.spring",
                "dev.duetime.spring.properties"
            })
    void aRemovedMethodIsABreakInEachModule(String packageName) throws IOException {
        assertThat(breaks(
                        packageName,
                        "public class Api { public void gone() {} public void kept() {} }",
                        "public class Api { public void kept() {} }"))
                .containsExactly(packageName + ".Api#gone(): METHOD_REMOVED");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"dev.duetime.spring.internal.handler", "dev.duetime.console.internal.page", "dev.duetime.store"})
    void whatIsNoApiMayChange(String packageName) throws IOException {
        assertThat(breaks(packageName, "public class Api { public void gone() {} }", "public class Api {}"))
                .isEmpty();
    }

    @Test
    void aRemovedTypeIsOneBreakWhateverItsMembers() throws IOException {
        assertThat(breaks("dev.duetime.spring", "public class Api { public void gone() {} }", "class Other {}"))
                .containsExactly("dev.duetime.spring.Api: CLASS_REMOVED");
    }
}

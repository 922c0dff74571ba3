package dev.duetime.lab.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.console.ConsoleServer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** A test with one browser for all its methods. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class BrowserTest {
    static final String ENTER = "\uE007";
    static final String TAB = "\uE004";
    static final String ESCAPE = "\uE00C";
    static final Path PICTURES = Path.of("target", "screenshots");

    Browser browser;

    @BeforeAll
    void open() throws IOException, InterruptedException {
        String missing = Browser.missing();
        if (missing != null && Boolean.parseBoolean(System.getenv("DUETIME_TEST_REQUIRED"))) {
            throw new AssertionError(missing);
        }
        Assumptions.assumeTrue(missing == null, missing);
        browser = Browser.open();
    }

    @AfterAll
    void close() throws IOException {
        if (browser != null) {
            browser.close();
        }
    }

    static URI at(ConsoleServer server, String path) {
        return server.address().resolve(server.address().getPath() + path);
    }

    void go(ConsoleServer server, String path) throws IOException, InterruptedException {
        browser.go(at(server, path));
        browser.await("as of");
    }

    /** Returns the addresses of the screens in the navigation, as paths of the server. */
    List<String> screens(ConsoleServer server) throws IOException, InterruptedException {
        go(server, "");
        List<String> all = new ArrayList<>();
        for (JsonNode each :
                browser.script("return [...document.querySelectorAll('nav a')].map(a => a.getAttribute('href'))")) {
            all.add(each.asString().substring(server.address().getPath().length()));
        }
        return all;
    }

    boolean holds(String code) throws IOException, InterruptedException {
        return browser.script("return Boolean(" + code + ")").asBoolean();
    }

    /** Checks that nothing is cut off at a width of the window. */
    void fits(String what, int width) throws IOException, InterruptedException {
        browser.size(width, 900);
        assertThat(browser.script("return [...document.querySelectorAll('body *')].filter(each =>"
                                + " !each.closest('.scroll') && !each.closest('.skip')"
                                + " && each.getBoundingClientRect().right > window.innerWidth + 1)"
                                + ".map(each => each.outerHTML.slice(0, 80)).join(' | ')")
                        .asString())
                .as("wider than %d: %s", width, what)
                .isEmpty();
        assertThat(holds("document.documentElement.scrollWidth <= window.innerWidth"))
                .as("%s at %d", what, width)
                .isTrue();
    }
}

package dev.duetime.lab.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The rules of accessibility that axe knows: WCAG 2.2 at level AA, contrast included. */
final class Axe {
    private static final String SCRIPT = read("/META-INF/resources/webjars/axe-core/4.6.3/axe.min.js");
    private static final String RUN = "axe.run(document, {resultTypes: ['violations'], runOnly: "
            + "['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})"
            + ".then(found => done(found.violations.map(each => ({id: each.id, impact: each.impact,"
            + " where: each.nodes.map(node => node.html.slice(0, 120) + ' ' + node.failureSummary).join(' | ')}))))"
            + ".catch(error => done([{id: String(error), impact: 'critical', where: ''}]));";

    private Axe() {}

    /** Returns the serious findings on a page. */
    static List<String> findings(Browser browser) throws IOException, InterruptedException {
        browser.script(SCRIPT);
        List<String> serious = new ArrayList<>();
        for (JsonNode each : browser.later(RUN)) {
            String impact = each.get("impact").asString();
            if (impact.equals("serious") || impact.equals("critical")) {
                serious.add(each.get("id").asString() + ": " + each.get("where").asString());
            }
        }
        return serious;
    }

    private static String read(String resource) {
        try (InputStream in = Axe.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new AssertionError(resource + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}

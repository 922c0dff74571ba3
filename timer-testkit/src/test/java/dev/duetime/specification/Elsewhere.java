package dev.duetime.specification;

import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Runs a class of tests on a machine whose zone and language are none that the tests speak of. */
public final class Elsewhere implements BeforeAllCallback, AfterAllCallback {
    private final TimeZone zone = TimeZone.getDefault();
    private final Locale locale = Locale.getDefault();

    @Override
    public void beforeAll(ExtensionContext context) {
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Pago_Pago"));
        Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        TimeZone.setDefault(zone);
        Locale.setDefault(locale);
    }
}

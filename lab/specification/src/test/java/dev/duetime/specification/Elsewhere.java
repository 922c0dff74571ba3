package dev.duetime.specification;

import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** An extension that runs a test class in a time zone and language that no test mentions. */
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

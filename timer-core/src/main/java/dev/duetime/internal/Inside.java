package dev.duetime.internal;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * The way from a public object to its inside: what our own packages call on the object and users never see. A public
 * type opens its inside once, in its static initializer. The interface or record of the inside is in a package that is
 * not exported. Thread-safe.
 *
 * <p>The pattern is {@code SharedSecrets} of the JDK, and {@code Internal} of OkHttp.
 */
public final class Inside {
    private static final Map<Class<?>, Function<Object, Object>> WAYS = new ConcurrentHashMap<>();

    private Inside() {}

    /** Opens the inside of all objects of a type; called by the type itself. */
    public static <F> void open(Class<F> face, Function<F, ?> way) {
        WAYS.put(face, object -> Objects.requireNonNull(way.apply(face.cast(object)), "inside"));
    }

    /**
     * Returns the inside of an object.
     *
     * @throws IllegalArgumentException if its type has opened no inside
     * @throws ClassCastException if its inside is of another type
     */
    public static <I> I of(Object face, Class<I> inside) {
        Function<Object, Object> way = WAYS.get(face.getClass());
        if (way == null) {
            throw new IllegalArgumentException("type must have opened its inside but was "
                    + face.getClass().getName());
        }
        return inside.cast(way.apply(face));
    }
}

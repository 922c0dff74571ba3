package dev.duetime.internal.timer;

import dev.duetime.Payload;
import dev.duetime.internal.LimitException;
import java.lang.invoke.MethodType;

/** The check of what a todo is to carry. */
public final class TodoPayload {
    private TodoPayload() {}

    /**
     * Checks that a payload is an object of the class of its type, or a {@link Payload} that is encoded already.
     *
     * @param type the name of the type
     * @param expected the class of its payloads
     * @throws IllegalArgumentException if it is an object of another class
     */
    public static void check(String type, Class<?> expected, Object given) {
        Class<?> boxed = MethodType.methodType(expected).wrap().returnType();
        if (!(given instanceof Payload) && !boxed.isInstance(given)) {
            throw new LimitException(
                    "payload",
                    "payload of type %s must be a %s but was a %s"
                            .formatted(
                                    type, expected.getName(), given.getClass().getName()));
        }
    }
}

package dev.duetime.engine.settings;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;

/** The virtual threads of this JVM, if it has them. Found by name, because the library is compiled for Java 17. */
public final class VirtualThreads {

    private VirtualThreads() {}

    /**
     * Returns a factory of virtual threads.
     *
     * @throws IllegalStateException if this JVM has none
     */
    public static ThreadFactory factory() {
        try {
            Class<?> builder = Class.forName("java.lang.Thread$Builder$OfVirtual");
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            MethodHandle ofVirtual = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(builder));
            MethodHandle factory = lookup.findVirtual(
                    Class.forName("java.lang.Thread$Builder"), "factory", MethodType.methodType(ThreadFactory.class));
            return (ThreadFactory) factory.invoke(ofVirtual.invoke());
        } catch (ReflectiveOperationException e) {
            throw missing(e);
        } catch (Throwable e) {
            // Java 19 and 20 have them as a preview that is off.
            throw missing(e);
        }
    }

    private static IllegalStateException missing(Throwable cause) {
        return new IllegalStateException(
                "virtualThreads must run on Java 21 or later but runs on "
                        + Runtime.version().feature(),
                cause);
    }
}

package dev.duetime.testkit;

import dev.duetime.store.ScheduleStore;
import dev.duetime.store.Transaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.function.Consumer;

/** A store that runs an action before each call of it, and of each part of it that it returns. */
public final class EachCall {
    private final Consumer<String> action;

    private EachCall(Consumer<String> action) {
        this.action = action;
    }

    /** Returns the store that runs the action, with the name of the method, before each call. */
    public static ScheduleStore of(ScheduleStore store, Consumer<String> action) {
        return new EachCall(action).of(ScheduleStore.class, store);
    }

    @SuppressWarnings("unchecked")
    private <T> T of(Class<T> port, Object target) {
        return (T) Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, arguments) -> {
            action.accept(method.getName());
            try {
                Object result = method.invoke(target, arguments);
                return result != null && isPart(method.getReturnType()) ? of(method.getReturnType(), result) : result;
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /** A transaction is of a kind that its store knows, and stays as it is. */
    private static boolean isPart(Class<?> type) {
        return type.isInterface()
                && type != Transaction.class
                && type.getPackage().equals(ScheduleStore.class.getPackage());
    }
}

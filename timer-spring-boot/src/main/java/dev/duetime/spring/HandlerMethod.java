package dev.duetime.spring;

import dev.duetime.DueTimeReached;
import dev.duetime.Envelope;
import dev.duetime.handlers.Handlers;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** A method of a bean as a handler. The bean is looked up at each call, and created at the first. Thread-safe. */
final class HandlerMethod implements Handlers.Handler {
    private final BeanFactory beans;
    private final String bean;
    private final Method method;

    HandlerMethod(BeanFactory beans, String bean, Method method) {
        this.beans = beans;
        this.bean = bean;
        this.method = method;
    }

    @Override
    public void handle(Envelope envelope) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = argument(types[i], envelope);
        }
        Object target = beans.getBean(bean);
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            invocable.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
        }
    }

    private static Object argument(Class<?> type, Envelope envelope) {
        if (type == Envelope.class) {
            return envelope;
        }
        return type == DueTimeReached.class ? envelope.event() : envelope.payload(type);
    }
}

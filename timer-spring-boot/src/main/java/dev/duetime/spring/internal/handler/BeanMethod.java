package dev.duetime.spring.internal.handler;

import dev.duetime.spring.internal.host.StartRefusedException;
import java.lang.annotation.Annotation;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a bean that Duetime calls. The bean is looked up at each call, and created at the first. So it may have
 * injected what calls it. Thread-safe.
 *
 * @param beans where the bean is
 * @param bean the name of the bean
 * @param method its method
 */
record BeanMethod(BeanFactory beans, String bean, Method method) {

    /** Passes each method of a bean that has an annotation. Creates no bean. */
    static <A extends Annotation> void forEach(
            ConfigurableListableBeanFactory beans, Class<A> annotation, BiConsumer<BeanMethod, A> action) {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type =
                    ScopedProxyUtils.isScopedTarget(name) ? null : AutoProxyUtils.determineTargetClass(beans, name);
            if (type != null && AnnotationUtils.isCandidateClass(type, List.of(annotation))) {
                Map<Method, A> methods = MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<A>)
                        method -> AnnotatedElementUtils.findMergedAnnotation(method, annotation));
                methods.forEach((method, on) -> action.accept(new BeanMethod(beans, name, method), on));
            }
        }
    }

    /** Returns a text of an annotation with its placeholders resolved. */
    static String text(ConfigurableListableBeanFactory beans, String value) {
        return Objects.requireNonNullElse(beans.resolveEmbeddedValue(value), value);
    }

    /**
     * Refuses a method that cannot be called.
     *
     * @param handled what the method handles, for the message
     */
    void check(String handled) {
        if (Modifier.isPrivate(method.getModifiers()) || Modifier.isStatic(method.getModifiers())) {
            throw new StartRefusedException(
                    "method that handles %s must not be private or static but is: %s".formatted(handled, name()));
        }
    }

    /** Returns its name, for messages. */
    String name() {
        return method.getDeclaringClass().getName() + "#" + method.getName();
    }

    /**
     * Calls it.
     *
     * @param argument returns the argument for the class of a parameter
     */
    @Nullable
    Object call(Function<Class<?>, Object> argument) throws Exception {
        Class<?>[] types = method.getParameterTypes();
        Object[] arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = argument.apply(types[i]);
        }
        Object target = beans.getBean(bean);
        Method invocable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(invocable);
        try {
            return invocable.invoke(target, arguments);
        } catch (InvocationTargetException e) {
            ReflectionUtils.rethrowException(e.getTargetException());
            throw new AssertionError(e);
        }
    }
}

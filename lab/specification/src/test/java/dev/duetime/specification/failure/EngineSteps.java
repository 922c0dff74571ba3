package dev.duetime.specification.failure;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * The steps of the engine: each begin of a method, and each call and each new object in it. Classes of the engine run
 * an action before each step if a {@link Loader} has loaded them. Used by one thread.
 */
public final class EngineSteps {
    private static IntConsumer action = step -> {};
    private static final List<String> NAMES = new ArrayList<>();

    private EngineSteps() {}

    /** Sets what to do before each step. */
    public static void before(IntConsumer newAction) {
        action = newAction;
    }

    /** Called by the classes before each step. */
    public static void step(int number) {
        action.accept(number);
    }

    /** Returns the place of a step. */
    public static String name(int step) {
        return NAMES.get(step);
    }

    private static int add(String place) {
        NAMES.add(place);
        return NAMES.size() - 1;
    }

    /** Loads all classes of Duetime anew, those of its loops and deliveries with their steps. */
    static final class Loader extends ClassLoader {
        private static final String OURS = "dev.duetime.";
        private static final String SELF = EngineSteps.class.getName();
        private static final Pattern WITH_STEPS =
                Pattern.compile("dev\\.duetime\\.engine\\.(todo|limits|lanes|publish|settle|loop)\\..*");

        Loader() {
            super(EngineSteps.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.startsWith(OURS) || name.startsWith(SELF)) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                return known == null ? define(name) : known;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (@Nullable InputStream file = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                if (file == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = file.readAllBytes();
                byte[] own = WITH_STEPS.matcher(name).matches() ? withSteps(code) : code;
                return defineClass(name, own, 0, own.length);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static byte[] withSteps(byte[] code) {
            ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
            new ClassReader(code).accept(new Methods(writer), 0);
            return writer.toByteArray();
        }
    }

    /** The methods of a class. Constructors have no steps of their own, since their callers have one. */
    private static final class Methods extends ClassVisitor {
        private String className = "";

        Methods(ClassVisitor next) {
            super(Opcodes.ASM9, next);
        }

        @Override
        public void visit(
                int version, int access, String name, String signature, String superName, String[] interfaces) {
            className = name.substring(name.lastIndexOf('/') + 1);
            super.visit(version, access, name, signature, superName, interfaces);
        }

        @Override
        public MethodVisitor visitMethod(
                int access, String name, String descriptor, String signature, String[] exceptions) {
            MethodVisitor method = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.startsWith("<") ? method : new Steps(method, className + "." + name);
        }
    }

    /** The steps of a method. */
    private static final class Steps extends MethodVisitor {
        private final String method;
        private int line;

        Steps(MethodVisitor next, String method) {
            super(Opcodes.ASM9, next);
            this.method = method;
        }

        private void step(String before) {
            super.visitLdcInsn(add("%s:%d before %s".formatted(method, line, before)));
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC, EngineSteps.class.getName().replace('.', '/'), "step", "(I)V", false);
        }

        @Override
        public void visitCode() {
            super.visitCode();
            step("its begin");
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle handle, Object... arguments) {
            step("a lambda");
            super.visitInvokeDynamicInsn(name, descriptor, handle, arguments);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            // A lock is given back without a new object.
            if (!name.equals("unlock")) {
                step(name);
            }
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        }
    }
}

package dev.duetime.lab.architecture;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.TreeSet;

/** The texts in the constant pool of a class file: string literals, and the names that the class refers to. */
final class StringConstants {
    private static final int MAGIC_AND_VERSION = 8;

    private StringConstants() {}

    /**
     * Reads them.
     *
     * @throws IllegalStateException if this is no class file that we know
     */
    static Set<String> of(InputStream classFile) throws IOException {
        Set<String> texts = new TreeSet<>();
        try (DataInputStream in = new DataInputStream(classFile)) {
            in.readFully(new byte[MAGIC_AND_VERSION]);
            int count = in.readUnsignedShort();
            for (int i = 1; i < count; i++) {
                int tag = in.readUnsignedByte();
                switch (tag) {
                    case 1 -> texts.add(in.readUTF());
                    case 7, 8, 16, 19, 20 -> in.readFully(new byte[2]);
                    case 15 -> in.readFully(new byte[3]);
                    case 3, 4, 9, 10, 11, 12, 17, 18 -> in.readFully(new byte[4]);
                    case 5, 6 -> {
                        in.readFully(new byte[8]);
                        i++; // A long and a double take two places.
                    }
                    default -> throw new IllegalStateException("unknown constant: " + tag);
                }
            }
        }
        return texts;
    }
}

package dev.duetime.jdbc.database;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import org.h2.store.fs.FileBase;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/** A disk for files of H2 that a test can fill. Then no file on it can be written. URLs on it contain {@code full:}. */
public final class FullDisk extends FilePathWrapper {
    private static volatile boolean full;

    /** Makes the disk known to H2. */
    public static void mount() {
        FilePath.register(new FullDisk());
    }

    /** Sets whether there is no space left. */
    public static void fill(boolean isFull) {
        full = isFull;
    }

    @Override
    public String getScheme() {
        return "full";
    }

    @Override
    public FileChannel open(String mode) throws IOException {
        return new File(super.open(mode));
    }

    private static final class File extends FileBase {
        private final FileChannel target;

        File(FileChannel target) {
            this.target = target;
        }

        private static void check() throws IOException {
            if (full) {
                throw new IOException("No space left on device");
            }
        }

        @Override
        public int write(ByteBuffer source) throws IOException {
            check();
            return target.write(source);
        }

        @Override
        public synchronized int write(ByteBuffer source, long position) throws IOException {
            check();
            return target.write(source, position);
        }

        @Override
        public int read(ByteBuffer destination) throws IOException {
            return target.read(destination);
        }

        @Override
        public synchronized int read(ByteBuffer destination, long position) throws IOException {
            return target.read(destination, position);
        }

        @Override
        public long position() throws IOException {
            return target.position();
        }

        @Override
        public FileChannel position(long newPosition) throws IOException {
            target.position(newPosition);
            return this;
        }

        @Override
        public long size() throws IOException {
            return target.size();
        }

        @Override
        public FileChannel truncate(long size) throws IOException {
            target.truncate(size);
            return this;
        }

        @Override
        public void force(boolean metaData) throws IOException {
            target.force(metaData);
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) throws IOException {
            return target.tryLock(position, size, shared);
        }

        @Override
        protected void implCloseChannel() throws IOException {
            target.close();
        }
    }
}

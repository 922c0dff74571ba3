package dev.duetime.internal;

/**
 * A hash of text to 64 bits, the same on every node, JVM and version. It is FNV-1a over UTF-16 units, finished with
 * Stafford's mix 13, so that keys which differ in their last digit spread over all shards. Shards, envelope ids and the
 * hosts of a {@link dev.duetime.hosts.HostSet} depend on it, so it is never changed. Thread-safe.
 */
public final class StableHash {
    private static final long OFFSET = 0xCBF2_9CE4_8422_2325L;
    private static final long PRIME = 0x0000_0100_0000_01B3L;

    private StableHash() {}

    /** Returns the hash of one text. */
    public static long of(String text) {
        return mix(add(OFFSET, text));
    }

    /** Returns the hash of two texts, in which their border counts: {@code ("a", "bc")} is not {@code ("ab", "c")}. */
    public static long of(String first, String second) {
        return mix(add((add(OFFSET, first) ^ 0xFFFF) * PRIME, second));
    }

    /** Returns the hash of a key: of its tenant and its id, and of its scope if that is not empty. */
    public static long of(String tenantId, String timerId, String scope) {
        long hash = of(tenantId, timerId);
        return scope.isEmpty() ? hash : of(hash, of(scope));
    }

    /** Returns a hash of both numbers that looks random for either of them. */
    public static long of(long first, long second) {
        return mix(mix(first) + second);
    }

    private static long add(long hash, String text) {
        long h = hash;
        for (int i = 0; i < text.length(); i++) {
            h = (h ^ text.charAt(i)) * PRIME;
        }
        return h;
    }

    private static long mix(long hash) {
        long h = hash;
        h = (h ^ (h >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        h = (h ^ (h >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return h ^ (h >>> 31);
    }
}

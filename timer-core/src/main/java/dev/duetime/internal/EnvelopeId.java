package dev.duetime.internal;

import java.util.UUID;

/**
 * The id of all deliveries of one generation: a UUID of version 8 (RFC 9562). Its upper half is a hash of the key, its
 * lower half is the generation. The form is part of the contract: a library update in the middle of a retry must not
 * change it.
 */
public final class EnvelopeId {
    private static final long VERSION_8 = 0x8000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    private EnvelopeId() {}

    /**
     * Returns the id.
     *
     * @param scope of the key; empty for a timer
     */
    public static String of(String tenantId, String timerId, String scope, long generation) {
        long hash = StableHash.of(tenantId, timerId, scope);
        long upper = (hash & 0xFFFF_FFFF_FFFF_0FFFL) | VERSION_8;
        long lower = (generation & 0x3FFF_FFFF_FFFF_FFFFL) | VARIANT;
        return new UUID(upper, lower).toString();
    }
}

package dev.duetime;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.internal.EnvelopeId;
import dev.duetime.internal.StableHash;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class StableHashTest {

    /**
     * These values decide about the shards of stored rows and the ids that brokers remember. A change breaks running
     * systems.
     */
    @Test
    void hashesAndEnvelopeIdsAreWhatTheyAlwaysWere() {
        assertThat(StableHash.of("")).isEqualTo(0xF52A15E9A9B5E89BL);
        assertThat(StableHash.of("order-17")).isEqualTo(0xA2B13FF1A62E905EL);
        assertThat(EnvelopeId.of("acme", "order-17", "", 42)).isEqualTo("8364a80c-2147-8dbb-8000-00000000002a");
    }

    @Test
    void theBorderBetweenTwoTextsChangesTheHash() {
        assertThat(StableHash.of("a", "bc")).isNotEqualTo(StableHash.of("ab", "c"));
    }

    @Test
    void keysThatDifferInTheirLastDigitsSpreadEvenlyOver64Shards() {
        int[] shards = new int[64];
        for (int i = 0; i < 64_000; i++) {
            shards[(int) Long.remainderUnsigned(StableHash.of("default", "order-" + i), 64)]++;
        }

        assertThat(Arrays.stream(shards).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(850, 1_150));
    }

    @Test
    void anEnvelopeIdIsAVersion8UuidEndingWithTheGeneration() {
        String id = EnvelopeId.of("acme", "order-17", "", 0x3FFF_FFFF_FFFF_FFFFL);

        assertThat(java.util.UUID.fromString(id).version()).isEqualTo(8);
        assertThat(java.util.UUID.fromString(id).variant()).isEqualTo(2);
        assertThat(id).endsWith("-bfff-ffffffffffff");
        assertThat(EnvelopeId.of("acme", "order-17", "", 1)).isNotEqualTo(id);
        assertThat(EnvelopeId.of("acme", "order-18", "", 1)).isNotEqualTo(EnvelopeId.of("acme", "order-17", "", 1));
    }
}

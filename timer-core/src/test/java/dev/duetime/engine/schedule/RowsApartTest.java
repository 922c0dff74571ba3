package dev.duetime.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.duetime.store.CollisionException;
import dev.duetime.store.DoubtfulException;
import dev.duetime.store.RefusedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests of a write in which a row that is held or refused stops no other, and is not waited for again and again. */
class RowsApartTest {
    private static final int HELD = 700;
    private static final int REFUSED = 30;
    private static final List<Integer> ROWS = IntStream.range(0, 1_000).boxed().toList();

    private final List<Integer> written = new ArrayList<>();
    private int waits;
    private int tries;

    /** Writes all or nothing. A write with the held row waits for it. */
    private int write(List<Integer> rows, Set<Integer> refused) {
        if (rows.contains(HELD)) {
            waits++;
            throw new CollisionException("write", "rows", new IllegalStateException());
        }
        if (rows.stream().anyMatch(refused::contains)) {
            throw new RefusedException("write", "rows", new IllegalStateException());
        }
        written.addAll(rows);
        return rows.size();
    }

    private int writeBriefly(List<Integer> rows) {
        int before = waits;
        try {
            return write(rows, Set.of());
        } finally {
            waits = before;
        }
    }

    @Test
    void aHeldRowIsWaitedForOnceIfTheOtherPartsWaitBriefly() {
        RowsApart<Integer> rows = new RowsApart<>(part -> write(part, Set.of()), this::writeBriefly);

        assertThat(rows.write(ROWS)).isEqualTo(ROWS.size() - 1);

        assertThat(waits).isEqualTo(1);
        assertThat(rows.refused()).containsExactly(HELD);
        assertThat(written).hasSize(ROWS.size() - 1).doesNotContain(HELD);
    }

    @Test
    void aHeldRowIsWaitedForTwiceIfNoPartCanWaitBriefly() {
        RowsApart<Integer> rows = new RowsApart<>(part -> write(part, Set.of()));

        assertThat(rows.write(ROWS)).isEqualTo(ROWS.size() - 1);

        assertThat(waits).isEqualTo(2);
        assertThat(written).hasSize(ROWS.size() - 1).doesNotContain(HELD);
    }

    private int writeInDoubt(List<Integer> rows, Set<Integer> doubtful) {
        tries++;
        if (rows.stream().anyMatch(doubtful::contains)) {
            throw new DoubtfulException("write", "rows", new IllegalStateException());
        }
        written.addAll(rows);
        return rows.size();
    }

    @Test
    void aFailureInDoubtIsThatOfARowIfOthersAreWritten() {
        RowsApart<Integer> rows = new RowsApart<>(part -> writeInDoubt(part, Set.of(0, 1, REFUSED, 31, 32)));

        assertThat(rows.write(ROWS)).isEqualTo(ROWS.size() - 5);

        assertThat(rows.refused()).containsExactly(0, 1, REFUSED, 31, 32);
        assertThat(rows.first()).isInstanceOf(RefusedException.class);
    }

    @Test
    void manyRefusedRowsInFrontStopNoOther() {
        Set<Integer> refused = Set.copyOf(ROWS.subList(0, 400));
        RowsApart<Integer> rows = new RowsApart<>(part -> writeInDoubt(part, refused));

        assertThat(rows.write(ROWS)).isEqualTo(600);
        assertThat(rows.refused()).hasSize(400).containsAll(refused);
    }

    @Test
    void refusedRowsInEachPartStopNoOther() {
        Set<Integer> refused = IntStream.range(0, 999).boxed().collect(Collectors.toSet());
        RowsApart<Integer> rows = new RowsApart<>(part -> writeInDoubt(part, refused));

        assertThat(rows.write(ROWS)).isOne();
        assertThat(rows.refused()).hasSize(999).containsAll(refused);
    }

    @Test
    void aFailureInDoubtIsThatOfTheStoreIfNoRowIsWritten() {
        RowsApart<Integer> rows = new RowsApart<>(part -> writeInDoubt(part, Set.copyOf(ROWS)));

        assertThatThrownBy(() -> rows.write(ROWS)).isInstanceOf(DoubtfulException.class);
        assertThat(tries).isLessThan(40);
    }

    @Test
    void heldAndRefusedRowsAreToldApart() {
        RowsApart<Integer> rows = new RowsApart<>(part -> write(part, Set.of(REFUSED)), this::writeBriefly);
        rows.write(List.of(REFUSED));

        rows.write(ROWS.subList(HELD - 1, HELD + 1));

        assertThat(rows.refused()).containsExactly(REFUSED, HELD);
        assertThat(rows.held()).containsExactly(HELD);
        assertThat(rows.first()).isInstanceOf(RefusedException.class);
        assertThat(rows.firstHeld()).isInstanceOf(CollisionException.class);
    }
}

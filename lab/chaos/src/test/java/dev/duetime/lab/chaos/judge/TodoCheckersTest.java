package dev.duetime.lab.chaos.judge;

import static org.assertj.core.api.Assertions.assertThat;

import dev.duetime.lab.chaos.log.Entry;
import dev.duetime.lab.chaos.log.Entry.Added;
import dev.duetime.lab.chaos.log.Entry.Counted;
import dev.duetime.lab.chaos.log.Entry.Fault;
import dev.duetime.lab.chaos.log.Entry.Ran;
import dev.duetime.lab.chaos.log.History;
import dev.duetime.lab.chaos.log.Measures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the checkers of todos find errors, with made-up logs. */
class TodoCheckersTest {
    private static final String DONE = "todos done, of all keys";
    private static final String OVERLAP = "runs of one key that overlap";
    private static final String DISORDER = "todos out of order of their key";
    private static final String REPEAT = "repeats without a kill";
    private static final String TWICE = "inserted while another one waited";
    private static final String SUM = "keys of which the sum is wrong";

    private final List<Entry> entries = new ArrayList<>();

    private void ran(long from, long to, String node, int number) {
        began(from, node, number);
        entries.add(new Ran(from, to, node, "k", number));
    }

    private void began(long from, String node, int number) {
        entries.add(new Ran(from, 0, node, "k", number));
    }

    private void kill(long from, long to, String node) {
        entries.add(new Fault(from, to, Measures.KILL, node));
    }

    /** Writes and reads the log as text, as the program does, in whatever order. */
    private History history() {
        Collections.reverse(entries);
        return History.of(entries.stream().map(Entry::line).map(Entry::parse).toList());
    }

    private List<String> notHeld(int keys, int ofEach) {
        return failed(new KeyedChecker(history(), 3).claims(keys, ofEach));
    }

    private static List<String> failed(List<Claim> claims) {
        return claims.stream().filter(each -> !each.holds()).map(Claim::what).toList();
    }

    @Test
    void runsOneAfterTheOtherInOrderHold() {
        ran(10, 20, "a", 0);
        ran(20, 30, "b", 1);
        ran(31, 40, "a", 2);
        assertThat(notHeld(1, 3)).isEmpty();
    }

    @Test
    void aRunThatBeginsBeforeAnotherHasEndedIsFound() {
        ran(10, 20, "a", 0);
        ran(19, 30, "b", 1);
        assertThat(notHeld(1, 2)).containsExactly(OVERLAP);
    }

    @Test
    void aRunWithinALongRunIsFoundThoughAnotherCameBetween() {
        ran(10, 100, "a", 0);
        ran(20, 30, "b", 1);
        ran(40, 50, "b", 2);
        assertThat(new KeyedChecker(history(), 3).examples()).hasSize(2);
    }

    @Test
    void aRunOutOfOrderIsFound() {
        ran(10, 20, "a", 1);
        ran(20, 30, "a", 0);
        assertThat(notHeld(1, 2)).containsExactly(DISORDER);
    }

    @Test
    void aTodoThatTwoKillsDelayedMayBeLate() {
        kill(1, 2, "x");
        ran(10, 20, "a", 1);
        ran(20, 30, "a", 0);
        assertThat(notHeld(1, 2)).containsExactly(DISORDER);
        kill(12, 13, "y");
        assertThat(notHeld(1, 2)).isEmpty();
    }

    @Test
    void aTodoThatDidNotRunOrDidNotEndIsFound() {
        ran(10, 20, "a", 0);
        assertThat(notHeld(1, 2)).containsExactly(DONE);
        began(30, "a", 1);
        assertThat(notHeld(1, 2)).containsExactly(DONE);
    }

    @Test
    void aRunThatAKillCutOffIsRepeatedAfterIt() {
        ran(10, 20, "a", 0);
        began(20, "a", 1);
        kill(25, 28, "a");
        ran(30, 40, "b", 1);
        ran(40, 50, "b", 2);
        assertThat(notHeld(1, 3)).isEmpty();
    }

    @Test
    void aRunOnAnotherNodeBeforeTheKilledProcessHasEndedOverlaps() {
        began(20, "a", 0);
        kill(25, 28, "a");
        ran(27, 40, "b", 0);
        assertThat(notHeld(1, 1)).containsExactly(OVERLAP);
    }

    @Test
    void aRepeatWithoutAKillOrBeforeTheKillIsFound() {
        ran(10, 20, "a", 0);
        ran(20, 30, "b", 0);
        kill(40, 41, "a");
        assertThat(notHeld(1, 1)).containsExactly(REPEAT);
    }

    private void added(long from, long to, String id, long startAt, String outcome, String into) {
        entries.add(new Added(from, to, "k", id, startAt, 2, outcome, into));
    }

    private void counted(long at, String id, int amount) {
        entries.add(new Counted(at, "k", id, amount));
    }

    @Test
    void mergesThatAddUpHold() {
        added(10, 20, "a", 900_000, "CREATED", "a");
        added(15, 25, "b", 900_001, "MERGED", "a");
        counted(900_010, "a", 4);
        added(900_020, 900_030, "c", 1_500_000, "CREATED", "c");
        counted(1_500_001, "c", 2);
        assertThat(failed(new MergingChecker(history()).claims(2, 2))).isEmpty();
    }

    @Test
    void twoTodosInsertedBeforeEitherCouldStartAreFound() {
        added(10, 20, "a", 900_000, "CREATED", "a");
        added(15, 25, "b", 900_001, "CREATED", "b");
        counted(900_010, "a", 2);
        counted(900_011, "b", 2);
        assertThat(failed(new MergingChecker(history()).claims(2, 2))).containsExactly(TWICE);
    }

    @Test
    void aMergedTodoThatWasNotCountedIsFound() {
        added(10, 20, "a", 900_000, "CREATED", "a");
        added(15, 25, "b", 900_001, "MERGED", "a");
        counted(900_010, "a", 2);
        assertThat(failed(new MergingChecker(history()).claims(2, 2))).containsExactly(SUM);
    }
}

package dev.duetime.lab.chaos.scenario;

import dev.duetime.lab.chaos.judge.Claim;
import dev.duetime.lab.chaos.judge.MergingChecker;
import dev.duetime.lab.chaos.log.Entry.Phase;
import dev.duetime.lab.chaos.log.Log;
import dev.duetime.lab.chaos.node.MergingNodeMain;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A scenario in which four threads of each node enqueue for the same correlation keys at once, while the todos run. */
final class MergingScenario implements TodoScenario {
    private static final Duration UNTIL_BEGIN = Duration.ofMillis(500);

    @Override
    public Class<?> program() {
        return MergingNodeMain.class;
    }

    @Override
    public List<Claim> run(Trial trial) throws Exception {
        long begin = trial.begin(Trial.TROUBLE) + UNTIL_BEGIN.toMillis() * 1_000;
        long end = begin + Duration.ofSeconds(trial.load.seconds()).toMillis() * 1_000;
        trial.cluster.alive().forEach(each -> each.tell(begin + " " + end));
        Duration usual = Duration.ofSeconds(trial.load.seconds()).plus(MergingNodeMain.AFTERWARDS);
        trial.await("not all is enqueued: ", usual, () -> haveEnqueued(trial) == trial.load.nodes());
        long nodes = haveEnqueued(trial);
        trial.await("todos are not done: ", usual, () -> trial.scratch.pending() == 0);
        trial.say("all done after %d ms".formatted((Log.now() - begin) / 1_000));
        MergingChecker checker = new MergingChecker(trial.history());
        checker.examples().forEach(trial::say);
        return checker.claims((int) nodes, trial.load.nodes());
    }

    private static long haveEnqueued(Trial trial) throws IOException {
        return trial.logged().all(Phase.class).stream()
                .filter(each -> each.name().equals(MergingNodeMain.ENQUEUED))
                .count();
    }
}

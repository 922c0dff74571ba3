package dev.duetime.jdbc.internal.sql;

import org.jdbi.v3.core.ConnectionFactory;
import org.jdbi.v3.core.Handles;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.ColonPrefixSqlParser;
import org.jdbi.v3.core.statement.SqlParser;
import org.jdbi.v3.core.statement.SqlStatements;
import org.jdbi.v3.core.statement.StatementExceptions;
import org.jdbi.v3.core.statement.StatementExceptions.MessageRendering;
import org.jdbi.v3.core.statement.TemplateEngine;

/** A Jdbi for our statements: named parameters, no templates, and no bound values in messages. */
public final class PlainJdbi {
    /** Caches parsed statements, also for the Jdbi of each joined transaction. */
    private static final SqlParser PARSER = new ColonPrefixSqlParser();

    private PlainJdbi() {}

    /**
     * Returns a Jdbi on these connections.
     *
     * @param size the size of the table that its statements are planned for
     * @param endsBatches whether its batches end at the first statement that fails, even if the driver would go on
     */
    public static Jdbi on(ConnectionFactory connections, PlannedSize size, boolean endsBatches) {
        PlainStatements statements = new PlainStatements(size);
        Jdbi jdbi = Jdbi.create(connections).setStatementBuilderFactory(unused -> statements);
        jdbi.getConfig(Handles.class).setForceEndTransactions(false);
        jdbi.getConfig(SqlStatements.class).setSqlParser(PARSER).setTemplateEngine(TemplateEngine.NOP);
        jdbi.getConfig(StatementExceptions.class).setMessageRendering(MessageRendering.NONE);
        jdbi.getConfig(BatchSettings.class).endAtFirstFailure(endsBatches);
        return jdbi;
    }
}

-- Shares of nodes in limits of the cluster: one row a limit and node, and one without a node for the limit itself.
CREATE TABLE timer_permits (
    queue      TEXT             NOT NULL,
    limit_name TEXT             NOT NULL,
    node       TEXT             NOT NULL,
    -- How often the limit was changed; only in the row without a node
    version    INTEGER          NOT NULL,
    -- How many units of the limit the node holds
    units      INTEGER          NOT NULL,
    -- How many units the node could use
    demand     INTEGER          NOT NULL,
    -- How many units the limit has, as the node is configured
    total      INTEGER          NOT NULL,
    -- Nanoseconds between two permits of a rate; 0 if it is no rate
    spacing    INTEGER          NOT NULL,
    -- Since when the node has held units or waited for some; without a node, since when units are free
    since_at   INTEGER          NOT NULL,
    -- When the share ends unless the node renews it
    ends_at    INTEGER          NOT NULL,
    PRIMARY KEY (queue, limit_name, node)
) STRICT;

-- Shares of nodes in limits of the cluster: one row a limit and node, and one without a node for the limit itself.
CREATE TABLE IF NOT EXISTS timer_permits (
    queue      varbinary(256)   NOT NULL,
    limit_name varbinary(1200)  NOT NULL,
    node       varbinary(1020)  NOT NULL,
    version    bigint           NOT NULL COMMENT 'How often the limit was changed; only in the row without a node',
    units      int              NOT NULL COMMENT 'How many units of the limit the node holds',
    demand     int              NOT NULL COMMENT 'How many units the node could use',
    total      int              NOT NULL COMMENT 'How many units the limit has, as the node is configured',
    spacing    bigint           NOT NULL COMMENT 'Nanoseconds between two permits of a rate; 0 if it is no rate',
    since_at   bigint           NOT NULL COMMENT 'Since when the node has held units or waited for some; without a node, since when units are free',
    ends_at    bigint           NOT NULL COMMENT 'When the share ends unless the node renews it',
    PRIMARY KEY (queue, limit_name, node)
) ENGINE = InnoDB DEFAULT CHARACTER SET = utf8mb4 COLLATE = utf8mb4_bin
    COMMENT = 'Shares of nodes in limits of the cluster';

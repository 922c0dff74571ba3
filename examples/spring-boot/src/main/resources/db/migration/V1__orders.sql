-- The application's own table, in its own history.
CREATE TABLE orders (
    id VARCHAR(40) PRIMARY KEY,
    state VARCHAR(20) NOT NULL
);

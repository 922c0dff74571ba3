/** The databases of the tests, and data sources that fail. */
@NullMarked
package dev.duetime.jdbc.database;

import org.jspecify.annotations.NullMarked;

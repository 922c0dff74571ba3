/** The store contract on each database, and what databases have beyond it. */
@NullMarked
package dev.duetime.jdbc.contract;

import org.jspecify.annotations.NullMarked;

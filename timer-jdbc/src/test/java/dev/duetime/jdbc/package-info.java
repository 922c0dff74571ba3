/** Tests of the store on every database. */
@NullMarked
package dev.duetime.jdbc;

import org.jspecify.annotations.NullMarked;

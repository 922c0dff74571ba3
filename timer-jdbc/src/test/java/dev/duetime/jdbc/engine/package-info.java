/** The engine on real databases. */
@NullMarked
package dev.duetime.jdbc.engine;

import org.jspecify.annotations.NullMarked;

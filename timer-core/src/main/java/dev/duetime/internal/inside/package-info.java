/** The engine's access to what host sets and steps hide from users. */
@NullMarked
package dev.duetime.internal.inside;

import org.jspecify.annotations.NullMarked;

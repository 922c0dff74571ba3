/** The internal interfaces of host sets and todo steps, which the engine calls and users cannot see. */
@NullMarked
package dev.duetime.internal.inside;

import org.jspecify.annotations.NullMarked;

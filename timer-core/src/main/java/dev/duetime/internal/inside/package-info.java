/** What the engine calls on public types and users never see: the insides of a host set, a todo queue and its steps. */
@NullMarked
package dev.duetime.internal.inside;

import org.jspecify.annotations.NullMarked;

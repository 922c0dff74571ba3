/** Handlers that are beans or methods of beans, and events of the application. */
@NullMarked
package dev.duetime.spring.internal.handler;

import org.jspecify.annotations.NullMarked;

/** The check that Duetime runs with the libraries of the application, and the error of a start that is refused. */
@NullMarked
package dev.duetime.spring.internal.host;

import org.jspecify.annotations.NullMarked;

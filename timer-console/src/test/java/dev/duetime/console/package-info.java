/** The specification of the console: access, pages, actions, and a browser. */
@org.jspecify.annotations.NullMarked
package dev.duetime.console;

/** Tests of what pages share. */
@org.jspecify.annotations.NullMarked
package dev.duetime.console.internal.page;

/** What a store needs of the login and of the server that it is given, on servers of our own. */
@NullMarked
package dev.duetime.lab.chaos.login;

import org.jspecify.annotations.NullMarked;

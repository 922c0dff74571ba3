/** Tests of the console as its users meet it: in a browser, and in the servers that mount it. */
package dev.duetime.lab.console;

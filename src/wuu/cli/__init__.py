"""The command line: it parses, calls one action, and hands the result to output."""

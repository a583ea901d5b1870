"""Who calls, from where, in which project and with which settings. It reads and never writes."""

"""Pure rules over text; nothing here touches the disk or knows what a home is."""

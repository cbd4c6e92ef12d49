"""Event handling: modes after an event, impacts, triggers, resets, event log, time stepping."""

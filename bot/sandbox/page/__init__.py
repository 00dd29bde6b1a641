"""The browser page for using the simulated Discord by hand."""

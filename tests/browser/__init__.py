"""The course in JupyterLab in a real browser: tests, and screenshots to look at."""

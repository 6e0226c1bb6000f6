"""The notebooks' gate: what pytest asks of a stored notebook, and the tool that stores one."""

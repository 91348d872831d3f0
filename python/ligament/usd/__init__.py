"""Scenes as files of OpenUSD, for other programs to draw."""

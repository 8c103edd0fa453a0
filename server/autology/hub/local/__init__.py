"""Adapter: what this machine remembers about its hubs, in files of the user's data folder."""

"""Conversations as text: exchanges and chunks."""

"""The state of what is known: findings, each with what it rests on and the call that mends it."""

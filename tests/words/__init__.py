"""All texts that users meet, on one page."""

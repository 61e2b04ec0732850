"""Models kept side by side, compared, taken into use and taken back."""

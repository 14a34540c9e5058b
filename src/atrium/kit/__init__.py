"""What every feature stands on and no feature owns."""

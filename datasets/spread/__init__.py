"""Work cut into pieces and given to processes of this machine or of others."""

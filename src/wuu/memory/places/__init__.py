"""The projects that the home knows: what stands where, and what moved. Its door is `actions`."""

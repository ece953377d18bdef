"""The only ways out of Mergegate: to processes, files, Git, engines, the network and browsers."""

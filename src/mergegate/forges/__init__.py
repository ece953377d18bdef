"""Read a change from the forges that host it, and publish the answer there."""

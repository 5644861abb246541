/** Preloaded into a process that should not outlive its parent: the parent holds the other end of its input. */
process.stdin.resume().once('end', () => process.exit(0));

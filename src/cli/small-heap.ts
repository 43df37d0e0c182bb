/**
 * JavaScriptCore lets its heap grow in proportion to the machine's memory: with 24 GB, a flood of distinct requests took 289 MB
 * instead of 195. With this as its memory, in bytes, it collects as early as on a small machine. It reads the variable at the
 * start of a process, and only from the environment.
 */
const variable = 'BUN_JSC_forceRAMSize'
const bytes = '201326592'

/**
 * Replaces this process by the same program with that variable, unless it has one already: same pid, arguments and
 * descriptors. To be called before anything is opened or printed. Takes the variable out of `env` again, as child
 * processes are short and should rather be fast.
 */
export function takeSmallHeap(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  if (env[variable] === bytes) delete env[variable]
  else if (env[variable] === undefined && isExecutable) restart(argv, { ...env, [variable]: bytes })
}

/** The sources are run by a runtime with options of its own. */
const isExecutable = import.meta.path.startsWith('/$bunfs/')

function restart(argv: readonly string[], env: NodeJS.ProcessEnv): void {
  try {
    process.execve?.(process.execPath, [process.execPath, ...argv], env)
  } catch {
    // Where this is forbidden, the server runs with a larger heap.
  }
}

const interpreters = {
  '.py': { program: '/usr/bin/python3', probe: (module: string) => ['-c', `import ${module}`] },
  '.rb': { program: '/usr/bin/ruby', probe: (module: string) => ['-r', module, '-e', ''] },
}

/**
 * Runs a script of this folder in Debian's Python or Ruby and returns what it prints; undefined, except in CI, if Debian's
 * package of the module is not installed.
 */
export async function fromScript(
  script: `${string}${keyof typeof interpreters}`,
  { module, input }: { readonly module: string; readonly input: readonly string[] },
): Promise<string | undefined> {
  const { program, probe } = interpreters[script.endsWith('.py') ? '.py' : '.rb']
  if (!isFound([program, ...probe(module)])) {
    if (process.env.CI) throw new Error(`this test needs ${module} for ${program}`)
    console.log(`skipped: there is no ${module} for ${program}`)
    return undefined
  }
  const stdin = new Blob([`${input.join('\n')}\n`])
  const options = { stdin, stdout: 'pipe', stderr: 'pipe', env: { LANG: 'C.UTF-8' } } as const
  const child = Bun.spawn([program, `${import.meta.dir}/${script}`], options)
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  if (code !== 0) throw new Error(stderr)
  return stdout
}

function isFound(command: string[]): boolean {
  try {
    return Bun.spawnSync(command).exitCode === 0
  } catch {
    return false
  }
}

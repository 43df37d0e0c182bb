const python = '/usr/bin/python3'

/**
 * Runs a script of this folder with Debian's Python and returns what it prints; undefined, except in CI, if Debian's
 * package of the module is not installed.
 */
export async function fromPython(
  script: string,
  { module, input }: { readonly module: string; readonly input: readonly string[] },
): Promise<string | undefined> {
  if (Bun.spawnSync([python, '-c', `import ${module}`]).exitCode !== 0) {
    if (process.env.CI) throw new Error(`this test needs the Python module ${module}`)
    console.log(`skipped: there is no Python module ${module}`)
    return undefined
  }
  const stdin = new Blob([`${input.join('\n')}\n`])
  const child = Bun.spawn([python, `${import.meta.dir}/${script}`], { stdin, stdout: 'pipe', stderr: 'pipe' })
  const [code, stdout, stderr] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  if (code !== 0) throw new Error(stderr)
  return stdout
}

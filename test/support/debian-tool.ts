/**
 * The path of a program from a Debian package. Without it, tests that need it are skipped with a printed reason;
 * in CI that is an error.
 */
export function debianTool(name: string, debianPackage: string): string | undefined {
  const path = Bun.which(name) ?? undefined
  if (path !== undefined) return path
  const why = `${name} is missing: apt-get install ${debianPackage}`
  if (process.env.CI === 'true') throw new Error(why)
  console.log(`skipped: ${why}`)
  return undefined
}

/** Runs it to its end; the output is of both streams. */
export async function runTool(
  command: readonly string[],
  input = '',
): Promise<{ code: number; said: string }> {
  const child = Bun.spawn([...command], { stdin: new Blob([input]), stdout: 'pipe', stderr: 'pipe' })
  const [code, out, errors] = await Promise.all([child.exited, child.stdout.text(), child.stderr.text()])
  return { code, said: out + errors }
}

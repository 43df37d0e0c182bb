import { executable } from './instance'

/** Times in seconds, peak memory in MB. */
export interface ImportResult {
  readonly seconds: number
  readonly cpu: number
  readonly peak: number
}

export async function measureImport(file: string, data: string): Promise<ImportResult> {
  const started = performance.now()
  const child = Bun.spawn([executable, 'catalogue', 'import', file, '--data', data], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  })
  const [code, problem] = await Promise.all([child.exited, child.stderr.text()])
  const seconds = (performance.now() - started) / 1000
  const used = child.resourceUsage()
  if (code !== 0 || used === undefined) throw new Error(`the import ended with ${code}: ${problem}`)
  return { seconds, cpu: Number(used.cpuTime.total) / 1e6, peak: used.maxRSS / 1e6 }
}

import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { $ } from 'bun'
import { ownNetwork } from './own-network'

// Command line tests use the compiled executable; arguments go to the test runner. Three files at a time, as
// many tests wait for other processes. The slowest start first (test/support/timings.json; `--update-timings`
// measures again). They cannot reach other machines.
const report = 'dist/tests.xml'
const flags = [
  '--parallel=3',
  '--no-isolate',
  '--timings=test/support/timings.json',
  '--only-failures',
  '--timeout=120000',
  '--reporter=junit',
  `--reporter-outfile=${report}`,
]
await $`bun scripts/compile.ts`
const environment = {
  ...process.env,
  ...temporary(),
  KIROKU_TEST_EXECUTABLE: resolve('dist/kiroku'),
  // Tests run much code only briefly, so the last compiler tier, which pays off in long runs, takes a seventh
  // of their CPU time. Child processes of tests compile like the product (test/setup.ts).
  BUN_JSC_useFTLJIT: '0',
}
// For test/support/made-once.ts.
const shared = mkdtempSync(join(environment.TMPDIR ?? tmpdir(), 'kiroku-shared-'))
const { exitCode } = await $`${ownNetwork()} bun test ${flags} ${process.argv.slice(2)}`
  .env({ ...environment, KIROKU_TEST_SHARED: shared })
  .nothrow()
rmSync(shared, { recursive: true })
console.log(closingLine(await Bun.file(report).text()))
process.exit(exitCode)

/** Uses memory for temporary files if 1 GiB is free: tests need no durability, and syncs are slow. */
function temporary(): { readonly TMPDIR?: string } {
  const path = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync(path)) return {}
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < 2 ** 30 ? {} : { TMPDIR: path }
}

/** Taken from the totals of the JUnit report. */
function closingLine(xml: string): string {
  const count = (name: string) =>
    Number(new RegExp(`<testsuites[^>]* ${name}="([0-9]+)"`).exec(xml)?.[1] ?? 0)
  const [tests, failed, skipped] = [count('tests'), count('failures'), count('skipped')]
  return `${tests - failed - skipped} passed, ${failed} failed, ${skipped} skipped`
}

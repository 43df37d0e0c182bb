import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { $ } from 'bun'
import { ownNetwork } from './own-network'

// Tests of the command line use the compiled executable; arguments go to the test runner. Three files at a time,
// since many tests wait for other processes. The slowest start first (test/support/timings.json); `--update-timings`
// measures again. They reach no other machine.
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
  // The last stage of compiling pays for code that runs long; tests run much code a little: it takes a seventh of their
  // CPU time. Only in the processes of the tests (test/setup.ts): what they start compiles as the product does.
  BUN_JSC_useFTLJIT: '0',
}
// What test/support/made-once.ts makes.
const shared = mkdtempSync(join(environment.TMPDIR ?? tmpdir(), 'kiroku-shared-'))
const { exitCode } = await $`${ownNetwork()} bun test ${flags} ${process.argv.slice(2)}`
  .env({ ...environment, KIROKU_TEST_SHARED: shared })
  .nothrow()
rmSync(shared, { recursive: true })
console.log(closingLine(await Bun.file(report).text()))
process.exit(exitCode)

/** Temporary files go to memory if there is 1 GiB: tests need no durability, and flushes take long. */
function temporary(): { readonly TMPDIR?: string } {
  const path = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync(path)) return {}
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < 2 ** 30 ? {} : { TMPDIR: path }
}

/** From the totals of the JUnit report. */
function closingLine(xml: string): string {
  const count = (name: string) =>
    Number(new RegExp(`<testsuites[^>]* ${name}="([0-9]+)"`).exec(xml)?.[1] ?? 0)
  const [tests, failed, skipped] = [count('tests'), count('failures'), count('skipped')]
  return `${tests - failed - skipped} passed, ${failed} failed, ${skipped} skipped`
}

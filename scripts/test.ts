import { existsSync, statfsSync } from 'node:fs'
import { resolve } from 'node:path'
import { $ } from 'bun'

// All tests, those of the command line against the compiled executable; arguments go to the test runner. Three files at a
// time: many wait for another process most of the time. The slowest begin first, as test/support/timings.json has them, which
// `bun run test --update-timings` measures anew. Only what fails is printed.
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
const { exitCode } = await $`bun test ${flags} ${process.argv.slice(2)}`
  .env({ ...process.env, ...temporary(), KIROKU_TEST_EXECUTABLE: resolve('dist/kiroku') })
  .nothrow()
console.log(closingLine(await Bun.file(report).text()))
process.exit(exitCode)

/** Lets tests write to memory where there is enough: nothing of theirs has to survive a power cut, so no disk is waited for. */
function temporary(): { readonly TMPDIR?: string } {
  const path = '/dev/shm'
  if (process.env.TMPDIR !== undefined || !existsSync(path)) return {}
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize < 2 ** 30 ? {} : { TMPDIR: path }
}

/** `N passed, N failed, N skipped`, from the report's first element. */
function closingLine(xml: string): string {
  const count = (name: string) =>
    Number(new RegExp(`<testsuites[^>]* ${name}="([0-9]+)"`).exec(xml)?.[1] ?? 0)
  const [tests, failed, skipped] = [count('tests'), count('failures'), count('skipped')]
  return `${tests - failed - skipped} passed, ${failed} failed, ${skipped} skipped`
}

import { resolve } from 'node:path'
import { $ } from 'bun'

// All tests, those of the command line against the compiled executable; arguments go to the test runner. Two files at a
// time: many wait for another process most of the time. Only what fails is printed.
const report = 'dist/tests.xml'
const flags = [
  '--parallel=2',
  '--no-isolate',
  '--only-failures',
  '--timeout=120000',
  '--reporter=junit',
  `--reporter-outfile=${report}`,
]
await $`bun scripts/compile.ts`
const { exitCode } = await $`bun test ${flags} ${process.argv.slice(2)}`
  .env({ ...process.env, KIROKU_TEST_EXECUTABLE: resolve('dist/kiroku') })
  .nothrow()
console.log(closingLine(await Bun.file(report).text()))
process.exit(exitCode)

/** `N passed, N failed, N skipped`, from the report's first element. */
function closingLine(xml: string): string {
  const count = (name: string) =>
    Number(new RegExp(`<testsuites[^>]* ${name}="([0-9]+)"`).exec(xml)?.[1] ?? 0)
  const [tests, failed, skipped] = [count('tests'), count('failures'), count('skipped')]
  return `${tests - failed - skipped} passed, ${failed} failed, ${skipped} skipped`
}

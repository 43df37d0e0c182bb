import { afterAll, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { bundleScript } from '../scripts/bundle'

// The pages' script from the current sources: the server embeds the bundle.
await bundleScript(`${import.meta.dir}/..`)

// Set by scripts/test.ts for this process only: what a test starts with `env: process.env` compiles like the product.
delete process.env.BUN_JSC_useFTLJIT

// For hangs, not for slowness: Bun's 5 seconds are too few for a test that loops, or a hook that fills an instance, on
// a busy machine.
setDefaultTimeout(120_000)

// The product collects garbage while it reads lists, within memory limits that tests check in separate processes. Here a
// collection would take long, because this process has loaded hundreds of files.
const collect = Bun.gc
Bun.gc = (force) => (new Error().stack?.includes('/src/') ? 0 : collect(force))

// In CI the random cases are the same in every run, so that failures come from changes; elsewhere they are new each time,
// and a failure prints its seed.
const seed = process.env.KIROKU_TEST_SEED ?? (process.env.CI ? '20261121' : undefined)
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })

// Made once for several files (support/made-once.ts): by all processes of a scripts/test.ts run, else only by this
// one.
if (process.env.KIROKU_TEST_SHARED === undefined) {
  const shared = mkdtempSync(join(tmpdir(), 'kiroku-shared-'))
  process.env.KIROKU_TEST_SHARED = shared
  // Runs after each file if several processes run them.
  afterAll(() => rmSync(shared, { recursive: true, force: true }))
}

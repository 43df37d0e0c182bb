import { afterAll, setDefaultTimeout } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { bundleScript } from '../scripts/bundle'

// The script of pages as its sources are now: the server embeds the bundle.
await bundleScript(`${import.meta.dir}/..`)

// Of this process alone, by scripts/test.ts: what a test starts with `env: process.env` compiles as the product does.
delete process.env.BUN_JSC_useFTLJIT

// For what hangs, not for what is slow: Bun's own 5 seconds are too few for a test that loops, or a hook that fills an
// instance, on a machine that is busy with other work.
setDefaultTimeout(120_000)

// The product collects garbage while it reads lists, within a bound of memory that tests hold in processes of their own.
// Here it would take long each time: in this process is what hundreds of files have loaded.
const collect = Bun.gc
Bun.gc = (force) => (new Error().stack?.includes('/src/') ? 0 : collect(force))

// In CI the random cases are the same in every run, so that what fails is what changed; elsewhere they are new each time,
// and a failure prints its seed.
const seed = process.env.KIROKU_TEST_SEED ?? (process.env.CI ? '20261121' : undefined)
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })

// What is made once for several files (support/made-once.ts): for all processes of a run by scripts/test.ts, or of this.
if (process.env.KIROKU_TEST_SHARED === undefined) {
  const shared = mkdtempSync(join(tmpdir(), 'kiroku-shared-'))
  process.env.KIROKU_TEST_SHARED = shared
  // After each file where several processes run them.
  afterAll(() => rmSync(shared, { recursive: true, force: true }))
}

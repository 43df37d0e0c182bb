import fc from 'fast-check'

// In CI the random cases are the same in every run, so that what fails is what changed; elsewhere they are new each time,
// and a failure prints its seed.
const seed = process.env.KIROKU_TEST_SEED ?? (process.env.CI ? '20261121' : undefined)
if (seed !== undefined) fc.configureGlobal({ seed: Number(seed) })

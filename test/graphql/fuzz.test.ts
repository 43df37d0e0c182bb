import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { buildSchema } from 'graphql'
import { printedSchema } from '../../src/graphql/print'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { randomQueries } from './random-queries'
import { post } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)

/** `KIROKU_FUZZ=10000` sends that many; the suite sends fewer. */
const numRuns = Number(process.env.KIROKU_FUZZ ?? 600)

const ours =
  /^(?:not found|Invalid season|first must not|last must not|.*is required|.*must |the query|the answer)/

test('no valid query is a fault: always 200, the two keys, and only our own errors', async () => {
  const schema = buildSchema(printedSchema())
  await fc.assert(
    fc.asyncProperty(randomQueries(schema), async (query) => {
      const response = await post(kiroku, { query }, kiroku.token)
      const text = await response.text()
      expect([response.status, text, query]).toEqual([200, text, query])
      const { data, errors = [], ...others } = JSON.parse(text)
      expect([others, data === undefined, query]).toEqual([{}, false, query])
      for (const { message } of errors) expect([message, query]).toEqual([expect.stringMatching(ours), query])
      expect(kiroku.lines.filter(({ event }) => event === 'fault')).toEqual([])
    }),
    { numRuns },
  )
}, 600_000)

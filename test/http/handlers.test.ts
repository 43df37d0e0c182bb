import { afterAll, expect, test } from 'bun:test'
import { serverOf } from '../../src/app'
import { createMetrics } from '../../src/metrics/create-metrics'
import { createInstance } from '../support/instance'

const kiroku = await createInstance({ metrics: await createMetrics() })
afterAll(kiroku.close)

/**
 * Elysia 1.4 reads from a handler's source which parts of a request it uses; others stay undefined. Minified code
 * keeps names of destructured properties, but may rename `call` in `call.query` to `$`, which Elysia misses.
 */
test('every handler and hook destructures what it uses of a request', () => {
  const server = serverOf(kiroku.deps)
  const hooks = [server.event, ...server.routes.map((route) => route.hooks)].flatMap((one) =>
    Object.values(one).flat(),
  )
  const handlers = server.routes.map(({ handler }) => handler)
  const texts = [...hooks, ...handlers].map(functionOf).filter((one) => typeof one === 'function')
  const different = [...new Set(texts.map(String))]
  expect(different.length).toBeGreaterThan(8)
  expect(different.filter((text) => !/^(?:async ?)?\((?:\{[^}]*\})?\)/.test(text))).toEqual([])
})

const functionOf = (one: unknown) => (typeof one === 'object' && one !== null && 'fn' in one ? one.fn : one)

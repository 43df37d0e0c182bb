import { afterAll, describe, expect, test } from 'bun:test'
import { endpoints } from '../../../src/app'
import { errorTypes } from '../../../src/http/errors'
import { readDocument } from '../../support/document'
import { requiredOf } from '../../support/examples'
import { type Body, createInstance, query, targetOf, withToken } from '../../support/instance'
import { seedExamples } from '../../support/seed-library'

const kiroku = await createInstance({ seed: seedExamples, config: { rateLimit: 1_000_000 } })
const { ask, get } = kiroku
afterAll(kiroku.close)
const document: Body = await (await ask('/openapi.json')).json()

const { answerOf, mismatches, headerMismatches } = readDocument(document)

describe('the errors of the document', () => {
  const { responses } = document.components
  const ofNoOperation = ['unknown_route', 'method_not_allowed']

  test('are complete, each with an example, except those of requests that reach no operation (D27)', () => {
    expect([...Object.keys(responses), ...ofNoOperation].sort()).toEqual(Object.keys(errorTypes).sort())
    for (const [type, response] of Object.entries<Body>(responses)) {
      const [error] = response.content['application/json'].example.errors
      expect(error.type).toBe(type)
      expect(error.url).toBe(`http://localhost:3000/docs/errors#${type}`)
    }
  })

  test('include the two that belong to no operation, in the description (D27)', () => {
    for (const type of ofNoOperation) expect(document.info.description).toContain(`\`${type}\``)
    expect(document.info.description).toContain('`Allow`')
    expect(document.components.schemas.Errors.properties.errors.items.properties.type.enum).toEqual(
      Object.keys(errorTypes),
    )
  })

  test('that say when to come back have a header for it (D27)', () => {
    const withIt = Object.keys(responses).filter((type) => 'Retry-After' in responses[type].headers)
    expect(withIt).toEqual(['rate_limited', 'service_unavailable'])
  })
})

for (const endpoint of endpoints) {
  const { method, path } = endpoint
  test(`${method} ${path} responds with the documented headers and no others (D29, D53)`, async () => {
    kiroku.clock.now += 60_000
    const target = targetOf(path)
    const wrong = await kiroku.tokenOf('mio', method === 'GET' ? 'write' : 'read')
    const answers = [
      await ask(target, { method }),
      await ask(target, withToken('x', { method })),
      await ask(target, withToken(wrong, { method })),
      await get(target + query(requiredOf(endpoint)), { method }),
      ...(method === 'GET' ? [await get(`${target}?fields=!`, { method })] : []),
    ]
    expect(answers.map(({ status }) => status).slice(0, 3)).toEqual([401, 401, 403])
    for (const answer of answers) {
      const said = answerOf(method, path, answer.status)
      expect([answer.headers.has('ratelimit'), 'RateLimit' in said.headers]).toEqual([true, true])
      expect([answer.status, headerMismatches(answer, said)]).toEqual([answer.status, []])
      if (answer.status < 400) continue
      expect(mismatches(said.content['application/json'].schema, await answer.json())).toEqual([])
    }
  })
}

import { afterAll, expect, test } from 'bun:test'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)
const { result } = asking(kiroku)

test('a cached response is only for its user and its scopes', async () => {
  const others = [await kiroku.tokenOf('Ritsu_T', 'read write'), await kiroku.tokenOf('mio', 'write')]
  const answers: unknown[] = []
  for (let round = 0; round < 3; round++)
    for (const one of [kiroku.token, ...others])
      answers.push((await result('{ viewer { username } }', {}, one)).data.viewer?.username)
  expect(answers.slice(6)).toEqual(['mio', 'Ritsu_T', undefined])
  await result(
    `mutation { updateStatus(input: {workId: "${btoa('Work-5')}", state: ON_HOLD}) { clientMutationId } }`,
  )
  const count = async () => (await result('{ viewer { onHoldCount } }')).data.viewer.onHoldCount
  const before = [await count(), await count()]
  await result(
    `mutation { updateStatus(input: {workId: "${btoa('Work-6')}", state: ON_HOLD}) { clientMutationId } }`,
  )
  expect([...before, await count()]).toEqual([2, 2, 3])
})

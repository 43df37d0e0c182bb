import { expect, test } from 'bun:test'
import { createPace } from '../../src/fetching/pace'
import { createOutside } from '../support/web-site'

const { signal } = new AbortController()

test('a host that was held is contacted later, the others in their own time', async () => {
  const { outside, state } = createOutside()
  const pace = createPace(500)
  await pace.wait(outside, 'a', signal)
  pace.hold(outside, 'a', 7000)
  // A shorter wish of somebody else does not shorten it.
  pace.hold(outside, 'a', 10)
  await pace.wait(outside, 'b', signal)
  expect(state.slept).toEqual([])
  await pace.wait(outside, 'a', signal)
  await pace.wait(outside, 'a', signal)
  expect(state.slept).toEqual([7000, 500])
})

test('however many hosts are contacted, only the latest thousand are remembered', async () => {
  const { outside, state } = createOutside()
  const pace = createPace(500)
  for (let n = 0; n <= 1000; n++) await pace.wait(outside, `host-${n}`, signal)
  await pace.wait(outside, 'host-0', signal)
  expect(state.slept).toEqual([])
  await pace.wait(outside, 'host-1000', signal)
  expect(state.slept).toEqual([500])
})

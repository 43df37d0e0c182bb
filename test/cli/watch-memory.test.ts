import { expect, spyOn, test } from 'bun:test'
import { collectAfterLoad, lookForRest } from '../../src/cli/server/watch-memory'

/** How often garbage was collected by the end of each second, in which so many requests came. */
function collections(seconds: readonly number[]): number[] {
  let requests = 1000
  let collected = 0
  const look = collectAfterLoad(
    () => requests,
    () => {
      collected += 1
    },
  )
  return seconds.map((count) => {
    requests += count
    look()
    return collected
  })
}

test('garbage is never collected under load, once when requests become few, and then only after 200 more', () => {
  expect(collections([5000, 5000, 50, 49, 0, 0, 49])).toEqual([0, 0, 0, 1, 1, 1, 1])
  expect(collections([5000, 0, 49, 49, 49, 49, 0, 4, 49])).toEqual([0, 1, 1, 1, 1, 1, 1, 2, 2])
})

test('nothing is collected before 200 requests', () => {
  expect(collections([100, 0, 49, 49, 1, 0, 1, 0])).toEqual([0, 0, 0, 0, 0, 0, 1, 1])
})

test('memory is given back once at each rest, never while there is work', () => {
  let busyMs = 0
  const cpuUsage = spyOn(process, 'cpuUsage').mockImplementation((before) => ({
    user: before === undefined ? 0 : busyMs * 1000,
    system: 0,
  }))
  let rests = 0
  const look = lookForRest(() => {
    rests += 1
  })
  const counts = [0, 5000, 5000, 200, 0, 200, 400, 400, 0].map((ms) => {
    busyMs = ms
    look()
    return rests
  })
  cpuUsage.mockRestore()
  expect(counts).toEqual([0, 0, 0, 1, 1, 1, 1, 1, 2])
})

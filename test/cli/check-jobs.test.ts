import { expect, test } from 'bun:test'
import { pauseAfter } from '../../src/cli/server/check-jobs'

const looksMs = 2000
const costs = [0, 1200, 3300, 10_000, 60_000].flatMap((cpuMs) =>
  [1, 3, 10].map((times) => ({ cpuMs, tookMs: cpuMs * times })),
)

test('promise 4: checks of all pages take at most a tenth of one core and a quarter of the time', () => {
  for (const cost of costs) {
    const pause = pauseAfter(cost)
    expect(cost.cpuMs / (cost.cpuMs + pause)).toBeLessThanOrEqual(0.1)
    expect(cost.tookMs / (cost.tookMs + pause)).toBeLessThanOrEqual(0.25)
  }
})

test('promise 4: damage in pages that a check has just passed is found by the next one within a minute, if one takes 3.3 s of CPU and 10 s', () => {
  for (const cost of costs.filter(({ cpuMs, tookMs }) => cpuMs <= 3300 && tookMs <= 10_000))
    expect(looksMs + cost.tookMs + pauseAfter(cost) + looksMs + cost.tookMs).toBeLessThanOrEqual(60_000)
})

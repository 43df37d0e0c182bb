import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLog } from '../../src/log'
import { createLogBudget } from '../../src/log/budget'

const perHour = 1_000_000
const hour = 3_600_000

/** A log within the budget; `clock` is in milliseconds. */
function limited() {
  const clock = { now: 0 }
  const lines: string[] = []
  const log = createLog({
    format: 'json',
    level: 'info',
    budget: createLogBudget(perHour, () => clock.now),
    now: () => clock.now,
    write: (line) => void lines.push(line),
  })
  const bytes = () => lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0)
  return { clock, lines, log, bytes }
}

describe('a flood of requests', () => {
  const flood = (hours: number) => {
    const { clock, lines, log, bytes } = limited()
    for (let n = 0; n < 60 * hours; n++) {
      clock.now += 60_000
      for (let each = 0; each < 400; each++) log('request', { url: `/${'漢'.repeat(300)}`, status: 404 })
    }
    return { clock, lines, log, bytes }
  }

  test('writes at most the saved-up hour plus one more per hour', () => {
    const { bytes, lines } = flood(3)
    const notes = lines.filter((line) => line.includes('"log_limited"'))
    const noteBytes = notes.reduce((sum, line) => sum + line.length + 1, 0)
    expect(bytes() - noteBytes).toBeLessThanOrEqual(4 * perHour)
    expect(bytes()).toBeGreaterThan(3 * perHour)
    // One per minute.
    expect(notes.length).toBeLessThanOrEqual(180)
  })

  test('is counted: lines written and lines left out add up', () => {
    const { clock, lines, log } = flood(1)
    clock.now += 2 * 60_000
    log('fault')
    const told = lines.map((line) => JSON.parse(line))
    const missed = told.reduce((sum, { requests = 0 }) => sum + requests, 0)
    expect(told.filter(({ event }) => event === 'request').length + missed).toBe(60 * 400)
    expect(missed).toBeGreaterThan(0)
  })

  test('silences no other event', () => {
    const { log, lines } = flood(1)
    for (let n = 0; n < 1000; n++) log('sign_in', { outcome: 'wrong' })
    expect(lines.filter((line) => line.includes('"sign_in"'))).toHaveLength(1000)
  })
})

test('an unused budget is saved up for an hour, no longer', () => {
  const { clock, log, bytes } = limited()
  clock.now += 10 * hour
  for (let n = 0; n < 20_000; n++) log('fault', { why: 'x'.repeat(100) })
  expect(bytes()).toBeLessThan(perHour + 200)
  expect(bytes()).toBeGreaterThan(perHour - 1000)
})

test('no order of lines and pauses exceeds the budget', () => {
  const step = fc.record({
    pause: fc.nat(hour),
    bytes: fc.integer({ min: 1, max: perHour / 4 }),
    isRequest: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      let now = 0
      let taken = 0
      const budget = createLogBudget(perHour, () => now)
      for (const { pause, bytes, isRequest } of steps) {
        now += pause
        if (budget.take(isRequest ? 'request' : 'fault', bytes)) taken += bytes
      }
      expect(taken).toBeLessThanOrEqual(perHour * (1 + now / hour) + 1)
    }),
  )
})

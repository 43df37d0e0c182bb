import { afterEach, beforeEach, expect, jest, test } from 'bun:test'
import { type FetchLimits, startDeadline } from '../../src/fetching/deadline'

beforeEach(() => void jest.useFakeTimers())
afterEach(() => void jest.useRealTimers())

const start = (limits: FetchLimits, outer = new AbortController().signal) => {
  const deadline = startDeadline(limits, outer)
  const reason = () => (deadline.signal.aborted ? String(deadline.signal.reason.message) : 'none')
  return { deadline, reason }
}

test('an answer whose headers do not come in time is not waited for', () => {
  const { deadline, reason } = start({ headersMs: 10_000, wholeMs: 60_000 })
  jest.advanceTimersByTime(9999)
  expect(reason()).toBe('none')
  jest.advanceTimersByTime(1)
  expect(reason()).toBe('no answer within 10 s')
  deadline[Symbol.dispose]()
})

test('nor is the rest of one that is not there when its time is over', () => {
  const { deadline, reason } = start({ headersMs: 10_000, wholeMs: 60_000 })
  deadline.headersCame()
  jest.advanceTimersByTime(59_999)
  deadline.received(1_000_000)
  expect(reason()).toBe('none')
  jest.advanceTimersByTime(1)
  expect(reason()).toBe('the answer came too slowly')
  deadline[Symbol.dispose]()
})

test('one that arrives fast enough may take longer, as long as it does', () => {
  const { deadline, reason } = start({ wholeMs: 1000, minSpeed: 100 })
  deadline.headersCame()
  deadline.received(500)
  jest.advanceTimersByTime(4999)
  expect(reason()).toBe('none')
  jest.advanceTimersByTime(1)
  expect(reason()).toBe('the answer came too slowly')
  deadline[Symbol.dispose]()
})

test('whoever asked may end it before; nothing ends it once it is over', () => {
  const outer = new AbortController()
  const ended = start({ wholeMs: 1000 }, outer.signal)
  outer.abort(new Error('stopping'))
  expect(ended.reason()).toBe('stopping')
  ended.deadline[Symbol.dispose]()
  const over = start({ wholeMs: 1000 })
  over.deadline[Symbol.dispose]()
  jest.advanceTimersByTime(5000)
  expect(over.reason()).toBe('none')
})

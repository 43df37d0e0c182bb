import { afterEach, describe, expect, jest, test } from 'bun:test'
import { LineWriter } from '../../src/cli/server/open-log'
import { createLog } from '../../src/log'

afterEach(() => void jest.useRealTimers())

/** A sink that takes everything at once. */
function sink() {
  const texts: string[] = []
  const out = { write: (text: string) => texts.push(text), flush: () => 0 }
  return { texts, lines: () => texts.join('').split('\n').slice(0, -1), writer: new LineWriter(out as never) }
}

/** A sink whose reader has stopped until `resume`. */
function stoppedSink() {
  const texts: string[] = []
  const { promise, resolve } = Promise.withResolvers<number>()
  const out = { write: (text: string) => texts.push(text), flush: () => promise }
  const lines = () => texts.join('').split('\n').slice(0, -1)
  return { lines, resume: () => resolve(0), writer: new LineWriter(out as never) }
}

describe('lines of requests', () => {
  test('10,000 under load are written complete, in order and at most 100 ms late by the log’s own clock', () => {
    jest.useFakeTimers({ now: 1_700_000_000_000 })
    const late: number[] = []
    const written: number[] = []
    const out = {
      write: (text: string) => {
        for (const line of text.trimEnd().split('\n')) {
          const { time, status } = JSON.parse(line)
          late.push(Date.now() - Date.parse(time))
          written.push(status)
        }
        return 0
      },
      flush: () => 0,
    }
    const writer = new LineWriter(out as never)
    const write = (line: string, mayWait: boolean) => writer.add(line, mayWait)
    const log = createLog({ format: 'json', level: 'info', budget: undefined, now: Date.now, write })
    for (let n = 0; n < 10_000; n++) {
      log('request', { status: n / 100, url: '/v1/works' })
      // From 100,000 a second to 10.
      if (n % 100 === 0) jest.advanceTimersByTime(n % 700)
    }
    jest.advanceTimersByTime(100)
    expect(written).toEqual(Array.from({ length: 10_000 }, (_, n) => n / 100))
    expect(Math.max(...late)).toBeLessThanOrEqual(100)
    expect(Math.max(...late)).toBeGreaterThan(50)
  })

  test('are written together, once there are 64 KB', () => {
    jest.useFakeTimers()
    const { texts, writer } = sink()
    for (let n = 0; n < 65; n++) writer.add('x'.repeat(999), true)
    expect(texts).toEqual([])
    writer.add('x'.repeat(999), true)
    expect(texts.map((text) => text.length)).toEqual([66_000])
  })

  test.each([
    ['fault', {}],
    ['sign_in', { outcome: 'wrong' }],
    ['request', { status: 500 }],
  ] as const)('are written before %s, which waits for nothing', (event, facts) => {
    jest.useFakeTimers()
    const { lines, writer } = sink()
    const log = createLog({
      format: 'json',
      level: 'debug',
      budget: undefined,
      now: () => 0,
      write: (line, mayWait) => writer.add(line, mayWait),
    })
    log('request', { status: 200, url: '/livez' })
    log('request', { status: 404 })
    expect(lines()).toEqual([])
    log(event, facts)
    expect(lines().map((line) => JSON.parse(line).event)).toEqual(['request', 'request', event])
  })

  test('that still wait at the end of the process are written by then', () => {
    const { lines, writer } = sink()
    writer.add('one', true)
    writer.add('two', true)
    writer.writeRest()
    expect(lines()).toEqual(['one', 'two'])
    writer.writeRest()
    expect(lines()).toEqual(['one', 'two'])
  })
})

describe('a reader that stopped reading', () => {
  test('costs a megabyte, and further lines are dropped until it reads again', async () => {
    const { lines, resume, writer } = stoppedSink()
    for (let n = 0; n < 20_000; n++) writer.add(`${n} ${'x'.repeat(990)}`, n % 7 > 0)
    writer.add('dropped', false)
    resume()
    await writer.flush()
    const numbers = lines().map((line) => Number.parseInt(line, 10))
    expect(numbers).toEqual(numbers.map((_, index) => index))
    expect(lines().join('\n').length).toBeGreaterThan(999_000)
    expect(lines().join('\n').length).toBeLessThan(1_010_000)
    writer.add('later', false)
    await writer.flush()
    expect(lines().at(-1)).toBe('later')
  })

  test('gets one write at a time', async () => {
    const { lines, resume, writer } = stoppedSink()
    writer.add('first', false)
    writer.add('second', false)
    writer.add('third', true)
    expect(lines()).toEqual(['first'])
    resume()
    await writer.flush()
    expect(lines()).toEqual(['first', 'second', 'third'])
  })
})

test('a log that cannot be written stops nothing, whether the write or its end fails', async () => {
  const failing = () => {
    throw new Error('EPIPE')
  }
  for (const out of [
    { write: failing, flush: failing },
    { write: () => 0, flush: async () => failing() },
  ]) {
    const writer = new LineWriter(out as never)
    writer.add('lost', false)
    writer.add('lost too', true)
    await writer.flush()
    writer.add('lost at the end', true)
    expect(() => writer.writeRest()).not.toThrow()
  }
})

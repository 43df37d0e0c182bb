import { describe, expect, test } from 'bun:test'
import { createLog, type LogOptions } from '../../src/log'
import { levels } from '../../src/log/levels'

export function written(
  options: Partial<LogOptions>,
  use: (log: ReturnType<typeof createLog>) => void,
): string[] {
  const lines: string[] = []
  const write = (line: string) => void lines.push(line)
  use(createLog({ format: 'json', level: 'debug', budget: undefined, now: () => 0, write, ...options }))
  return lines
}

describe('the level', () => {
  test.each([
    ['error', 1],
    ['warn', 2],
    ['info', 3],
    ['debug', 4],
  ] as const)('%s writes what is as urgent or more', (level, count) => {
    const lines = written({ level }, (log) => {
      log('fault')
      log('insecure')
      log('set_up')
      log('storage_fault_again')
    })
    expect(lines.map((line) => JSON.parse(line).level)).toEqual(levels.slice(0, count))
  })

  test.each([
    ['/livez', 200, 'debug'],
    ['/log/readyz?x=1', 200, 'debug'],
    ['/readyz', 503, 'warn'],
    ['/readyz', 429, 'info'],
    ['/v1/works', 200, 'info'],
    ['/v1/works?x=/livez', 200, 'info'],
    ['/v1/works', 404, 'info'],
    ['/v1/works', 500, 'warn'],
  ])('of a request for %s that is answered with %i is %s', (url, status, level) => {
    expect(
      written({}, (log) => log('request', { url, status })).map((line) => JSON.parse(line).level),
    ).toEqual([level])
  })

  test.each([
    ['sent', 'info'],
    ['failed', 'warn'],
    ['delayed', 'warn'],
    ['dropped', 'warn'],
  ])('of a letter that was %s is %s', (outcome, level) => {
    expect(written({}, (log) => log('mail', { outcome }))[0]).toContain(`"level":"${level}"`)
  })
})

test('a line for people starts with the time, the level and the event', () => {
  expect(written({ format: 'human' }, (log) => log('mail', { outcome: 'sent' }))).toEqual([
    '00:00:00 info  mail outcome=sent',
  ])
})

test('a value is cut at 2,000 characters, after masking', () => {
  const secret = `kir_at_${'a'.repeat(49)}`
  const [line = ''] = written({}, (log) =>
    log('request', { url: `/${'x'.repeat(1980)}${secret}/${'y'.repeat(9000)}` }),
  )
  expect(JSON.parse(line).url).toHaveLength(2000 + '… (10985 characters)'.length)
  expect(line).not.toContain('kir_')
  const halves = written({}, (log) => log('request', { url: 'あ🙂'.repeat(2000) }))
  expect(JSON.parse(halves[0] ?? '').url.isWellFormed()).toBe(true)
})

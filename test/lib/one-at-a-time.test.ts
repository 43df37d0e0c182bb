import { expect, test } from 'bun:test'
import { oneAtATime } from '../../src/lib/one-at-a-time'

class Full extends Error {}

/** Work that continues until told to end. */
function work() {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  return { run: () => promise, resolve, reject }
}

test('one task runs at a time, in order of arrival', async () => {
  const begun: number[] = []
  const inTurn = oneAtATime(8, () => new Full())
  const pieces = [work(), work(), work()]
  const done = pieces.map(({ run }, at) =>
    inTurn(() => {
      begun.push(at)
      return run()
    }),
  )
  expect(begun).toEqual([0])
  pieces[0]?.resolve('first')
  expect(await done[0]).toBe('first')
  expect(begun).toEqual([0, 1])
  pieces[1]?.resolve('second')
  pieces[2]?.resolve('third')
  expect(await Promise.all(done)).toEqual(['first', 'second', 'third'])
})

test('a full queue refuses the next task, and accepts it again when there is room', async () => {
  const inTurn = oneAtATime(1, () => new Full())
  const [running, queued] = [work(), work()]
  const [first, second] = [inTurn(running.run), inTurn(queued.run)]
  const refused = inTurn(async () => 'run').catch((cause: unknown) => cause)
  running.resolve('first')
  await first
  const third = inTurn(async () => 'third')
  queued.resolve('second')
  expect([await second, await third]).toEqual(['second', 'third'])
  expect(await refused).toBeInstanceOf(Full)
})

test('a failing task lets the next one start', async () => {
  const inTurn = oneAtATime(1, () => new Full())
  const failing = work()
  const [first, second] = [inTurn(failing.run), inTurn(async () => 'second')]
  failing.reject(new Error('broken'))
  expect(first).rejects.toThrow('broken')
  expect(await second).toBe('second')
})

import { afterAll, expect, spyOn, test } from 'bun:test'
import { Budget } from '../../src/graphql/execute/budget'
import { ownTurn } from '../../src/lib/turns'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)

test('groups of 5,000 fields are completed in their own turns of the event loop, in order', async () => {
  const budget = new Budget(1)
  let turn = 0
  const counting = { isOn: true }
  const count = () => {
    turn += 1
    if (counting.isOn) setImmediate(count)
  }
  setImmediate(count)
  const ran: string[] = []
  const turns: number[] = []
  const piece = async (name: string) => {
    await budget.turnFor(5000)
    ran.push(name)
    turns.push(turn)
  }
  await Promise.all(['a', 'b', 'c'].map(piece))
  counting.isOn = false
  expect(ran).toEqual(['a', 'b', 'c'])
  expect(new Set(turns).size).toBe(3)
})

test('what waits for its turn when a limit is exceeded never runs', async () => {
  const budget = new Budget(1)
  const ran: string[] = []
  expect(budget.turnFor(5000)).toBe(undefined)
  void budget.turnFor(1)?.then(() => ran.push('a'))
  budget.read(async () => void ran.push('b'))
  expect(() => budget.takeRows(60_001)).toThrow('the query asks for more than 60,000 rows')
  await ownTurn()
  await ownTurn()
  expect(ran).toEqual([])
  expect(budget.pause()).rejects.toThrow('the query asks for more than 60,000 rows')
})

test('reading is limited by the CPU time of the thread, not by how long it takes', async () => {
  const budget = new Budget(1)
  const used = spyOn(process, 'threadCpuUsage')
  const reads = (user: number) => budget.readNow(async () => void used.mockReturnValue({ user, system: 0 }))
  const clock = spyOn(performance, 'now').mockReturnValue(performance.now() + 60_000)
  used.mockReturnValue({ user: 0, system: 0 })
  await reads(2_000_000)
  const exceeded = reads(4_000_001)
  await exceeded.catch(() => {})
  clock.mockRestore()
  used.mockRestore()
  expect(exceeded).rejects.toThrow('the query takes more than 2 s of CPU time; ask for less')
})

test('large requests run one at a time, users one after another; others wait, up to eight of a user', async () => {
  const begun: number[] = []
  const large = (user: number) => {
    const budget = new Budget(user)
    budget.takeRows(3001)
    const paused = budget.pause().then(() => begun.push(user))
    return { budget, paused }
  }
  const requests = [1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2].map(large)
  expect(large(1).paused).rejects.toThrow('Too many large GraphQL queries are waiting.')
  const inOrder = [0, 1, 9, 2, 10, 3, 4, 5, 6, 7, 8]
  for (const [at, nth] of inOrder.entries()) {
    await requests[nth]?.paused
    expect(begun).toHaveLength(at + 1)
    requests[nth]?.budget.end()
  }
  expect(begun).toEqual([1, 1, 2, 1, 2, 1, 1, 1, 1, 1, 1])
})

test('single rows that cannot be read are an error, not null', async () => {
  const { errors } = asking(kiroku)
  const query = '{ viewer { records(first: 1) { nodes { episode { title } } } } }'
  expect(await errors(query)).toEqual([])
  kiroku.store.handle.run('alter table episodes rename column title to gone')
  expect(await errors(query)).toEqual(['Something went wrong on the server.'])
  expect(kiroku.lines.filter(({ event }) => event === 'fault')).toMatchObject([
    { facts: { why: expect.stringContaining('no such column') } },
  ])
})

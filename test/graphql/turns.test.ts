import { afterAll, expect, test } from 'bun:test'
import { Budget } from '../../src/graphql/execute/budget'
import { createInstance } from '../support/instance'
import { seedLibrary } from '../support/seed-library'
import { asking } from './support'

const kiroku = await createInstance({ seed: seedLibrary })
afterAll(kiroku.close)

test('each piece of a request runs in its own turn of the event loop, in order', async () => {
  const budget = new Budget()
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
    await budget.turn()
    ran.push(name)
    turns.push(turn)
  }
  await Promise.all(['a', 'b', 'c'].map(piece))
  counting.isOn = false
  expect(ran).toEqual(['a', 'b', 'c'])
  expect(new Set(turns).size).toBe(3)
})

test('pieces waiting for their turn when a limit is exceeded never run', async () => {
  const budget = new Budget()
  const ran: string[] = []
  void budget.turn().then(() => ran.push('a'))
  expect(() => budget.takeRows(60_001)).toThrow('the query asks for more than 60,000 rows')
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate)
  expect(ran).toEqual([])
  expect(budget.pause()).rejects.toThrow('the query asks for more than 60,000 rows')
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

import { expect, test } from 'bun:test'
import { seeded } from '../../bench/random'
import { output } from '../support/in-process'
import { temporaryDirectory } from '../support/kiroku'
import { Ledger } from '../support/ledger'
import { deskCatalogue, desksOf } from '../support/ledger-desks'
import { startAgain } from '../support/ledger-start'
import { Writer } from '../support/ledger-writer'
import { until } from '../support/until'

/** How often the server is killed. */
const kills = Number(process.env.KIROKU_TEST_KILLS ?? 20)
const deadline = 20_000 + kills * 2_000
test(
  `D43: after each of ${kills} kills, everything acknowledged is kept, and nothing that was refused or never sent`,
  async () => {
    using directory = temporaryDirectory()
    await output(directory, ['catalogue', 'import', '-'], { input: deskCatalogue })
    const [ledger, desks] = [new Ledger(), await desksOf(directory)]
    const token = desks[0]?.token ?? ''
    const random = seeded(43)
    const writers = desks.map((desk, index) => new Writer(desk, ledger, seeded(index)))
    for (let kill = 0; kill < kills; kill++) {
      await using server = await startAgain(directory, ledger, token)
      const killed = new AbortController()
      const writing = writers.map((writer) => writer.write(server.url, killed.signal))
      // On a busy machine the first answer takes longer than what follows until the kill.
      const before = ledger.acknowledged
      await until(() => ledger.acknowledged > before)
      await Bun.sleep(random(130))
      killed.abort()
      expect((await server.end('SIGKILL')).code).toBe(137)
      await Promise.all(writing)
    }
    await using _last = await startAgain(directory, ledger, token)
    expect(writers.flatMap(({ surprises }) => surprises)).toEqual([])
    expect(await output(directory, ['check', '--deep'])).toBe('ok\n')
    const { acknowledged, refused, lost, kept } = ledger
    console.log(`${kills} kills: ${acknowledged} writes acknowledged, ${refused} refused`)
    console.log(`${lost} in flight when the server was killed, ${kept} of them kept`)
    expect(acknowledged).toBeGreaterThan(0)
  },
  deadline,
)

test('D43: the ledger notices what is lost, changed, duplicated, under another id or of unknown origin', () => {
  const ledger = new Ledger()
  ledger.sends('a', 'first')
  ledger.acknowledges('a')
  ledger.identifies('a', 1)
  ledger.refuses('b')
  const a = { key: 'a', id: 1, content: 'first' }
  expect(ledger.faults([a])).toEqual([])
  expect(ledger.faults([])).toEqual(['a is undefined, not first'])
  expect(ledger.faults([{ ...a, content: 'second' }])).toEqual(['a is second, not first'])
  expect(ledger.faults([a, { ...a }])).toEqual(['a is there twice'])
  expect(ledger.faults([{ ...a, id: 2 }])).toEqual(['a has the id 2, not 1'])
  expect(ledger.faults([a, { ...a, key: 'b' }])).toEqual(['b is first, not undefined'])
  expect(ledger.faults([a, { ...a, key: 'c' }])).toEqual(['c was never sent'])
})

test('D43: a request in flight may or may not be kept; what is found then must stay; so must a deletion', () => {
  const ledger = new Ledger()
  const a = { key: 'a', id: 1, content: 'first' }
  ledger.sends('a', 'first')
  expect(ledger.faults([a])).toEqual([])
  expect(ledger.faults([])).toEqual(['a is undefined, not first'])
  ledger.sends('a', 'second')
  expect(ledger.faults([a])).toEqual([])
  expect([ledger.lost, ledger.kept]).toEqual([2, 1])
  ledger.sends('a', undefined)
  ledger.acknowledges('a')
  expect(ledger.faults([a])).toEqual(['a is first, not undefined'])
})

import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { seeded } from '../../bench/random'
import { databasePath } from '../../src/db/open'
import { output } from '../support/in-process'
import { type Directory, type Server, startServer, temporaryDirectory } from '../support/kiroku'
import { type Found, Ledger } from '../support/ledger'
import { deskCatalogue, desksOf, foundIn } from '../support/ledger-desks'
import { Writer } from '../support/ledger-writer'

/** How often the server is killed. */
const kills = Number(process.env.KIROKU_TEST_KILLS ?? 20)
/** Records and reviews that do not have the one activity they were made with. */
function withoutActivity(directory: Directory): unknown[] {
  using handle = new Database(databasePath(directory.file('data')), { readonly: true })
  return handle
    .query(`
    select 'record' as what, id from records r
    where 1 <> (select count(*) from activities where record_id = r.id)
    union all
    select 'review', id from reviews r
    where 1 <> (select count(*) from activities where review_id = r.id)`)
    .all()
}

/** The newest records as the server answers them are those of the ledger. */
async function expectAnswered(server: Server, token: string, found: readonly Found[]): Promise<void> {
  const target = `${server.url}/v1/records?sort_id=desc&per_page=50`
  const response = await fetch(target, { headers: { authorization: `Bearer ${token}` } })
  expect(response.status).toBe(200)
  const { records } = (await response.json()) as { records: { id: number; comment: string }[] }
  const known = new Map(found.map(({ key, id, content }) => [`${key} ${id}`, content]))
  for (const { id, comment } of records) {
    expect(known.get(`${comment.split(' ')[0]} ${id}`)).toContain(JSON.stringify(comment))
  }
}

/** Starts the server and looks at once whether all is there that was acknowledged. */
async function startAgain(directory: Directory, ledger: Ledger, token: string): Promise<Server> {
  const server = await startServer(directory, ['--rate-limit', 'off'])
  const found = foundIn(databasePath(directory.file('data')))
  expect(ledger.faults(found)).toEqual([])
  expect(withoutActivity(directory)).toEqual([])
  await expectAnswered(server, token, found)
  return server
}

const deadline = 20_000 + kills * 2_000
test(
  `D43: what was acknowledged is there after each of ${kills} kills, and nothing that was refused or never sent`,
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
      await Bun.sleep(20 + random(130))
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

test('D43: the ledger sees what is lost, changed, doubled, under another id or from nowhere', () => {
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

test('D43: a request in flight may have been kept or not; what is found then must stay; so must a deletion', () => {
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

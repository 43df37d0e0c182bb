import type { Database } from 'bun:sqlite'
import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createShared } from '../../src/api/endpoint'
import { v1 } from '../../src/api/v1'
import { type App, createApp, endpoints } from '../../src/app'
import { Generations } from '../../src/db/generations/generations'
import type { Tables } from '../../src/db/generations/statement-tables'
import { openHandle, openStore } from '../../src/db/open'
import type { Deps } from '../../src/deps'
import { incoming } from '../../src/http/incoming'
import { createServer } from '../../src/http/server'
import { type AnyChange, anyChange } from '../support/any-change'
import { createInstance, type Instance, requestOf, types, withToken } from '../support/instance'
import { seedLibrary } from '../support/seed-library'

/** Looks for commits of others each time, where the product waits 2 ms. */
class Attentive extends Generations {
  protected override look(): void {
    this.hasBegun()
  }
}

/** Knows nothing of one table that statements touch. */
class Forgetful extends Attentive {
  constructor(
    handle: Database,
    private readonly forgotten: string,
  ) {
    super(handle)
  }

  override committed(tables: Tables): void {
    super.committed(tables === 'any' ? tables : tables.filter((table) => table !== this.forgotten))
  }
}

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

async function start(generations: (handle: Database) => Generations): Promise<Instance> {
  const kiroku = await createInstance({ seed: seedLibrary, generations })
  closing.unshift(kiroku.close)
  return kiroku
}

/** A second server on the same database, with its own connections and caches. */
function serverBeside({ deps }: Instance): App {
  const { data } = deps.config
  const handle = openHandle(data)
  const beside = openStore(data, handle, { generations: new Attentive(handle) })
  closing.unshift(beside.close)
  const { read, warmRead, readBeside, write, trackedRead, generations } = beside
  return createApp({ ...deps, read, warmRead, readBeside, write, trackedRead, generations })
}

const reads = endpoints.filter(({ method }) => method === 'GET')
const some =
  'fields=id,title,comment,user.name,work.title,episode.records_count,multiple_record.record.rating'
const targets = reads.flatMap(({ path }) => [
  path,
  `${path}?${some}`,
  `${path}?sort_id=desc&per_page=3&page=2`,
  ...(path === '/v1/comments' ? [`${path}?filter_record_id=1`, `${path}?filter_review_id=2`] : []),
  ...(path.startsWith('/v1/me') ? [] : [`${path}?filter_ids=1,2,3&fields=id`]),
])

const query = '{ viewer { name records { edges { node { comment work { title watchersCount } } } } } }'

type Answering = Pick<App, 'handle'>

async function answersOf({ handle }: Answering, token: string): Promise<Record<string, string>> {
  const answers: Record<string, string> = {}
  for (const target of targets)
    answers[target] = await (await handle(requestOf(target, withToken(token)), '192.0.2.1')).text()
  const headers = { 'content-type': types.json }
  const post = withToken(token, { method: 'POST', headers, body: JSON.stringify({ query }) })
  const answer = await handle(requestOf('/graphql', post), '192.0.2.1')
  return answer.status === 404 ? answers : { ...answers, graphql: await answer.text() }
}

/** An application with only the lists, which takes a third of the time to create. */
function emptyApp(deps: Deps): Answering {
  const app = createServer(deps).use(v1(createShared(deps), reads, []))
  return { handle: async (request, peer) => app.fetch(incoming(request, { peer, id: 'fresh' }, '')) }
}

/** Which kept answers differ from those with empty caches, after any of the changes. */
async function staleAfter(
  changes: readonly AnyChange[],
  kept: readonly Answering[],
  { deps, token }: Instance,
) {
  const stale = new Set<string>()
  for (const change of changes) {
    await change()
    const fresh = await answersOf(emptyApp(deps), token)
    for (const app of kept)
      for (const [target, answer] of Object.entries(await answersOf(app, token)))
        if (target in fresh && answer !== fresh[target]) stale.add(target)
  }
  return [...stale]
}

test('after any change by any way, kept answers of two servers equal those with empty caches', async () => {
  const kiroku = await start((handle) => new Attentive(handle))
  const servers = [kiroku, serverBeside(kiroku)]
  const change = await anyChange(kiroku)
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 4, maxLength: 12 }), async (changes) => {
      expect(await staleAfter(changes, servers, kiroku)).toEqual([])
    }),
    { numRuns: 10 },
  )
}, 300_000)

test.each(['works', 'episodes', 'users'])(
  'the same fails if what statements touch lacks %s',
  async (table) => {
    const kiroku = await start((handle) => new Forgetful(handle, table))
    const change = await anyChange(kiroku)
    let stale: readonly string[] = []
    for (let seed = 1; seed <= 60 && stale.length === 0; seed += 1)
      stale = await staleAfter(fc.sample(change, { numRuns: 10, seed }), [kiroku], kiroku)
    expect(stale).not.toEqual([])
  },
  300_000,
)

import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { createShared } from '../../src/api/endpoint'
import { createRenderer, createRenderingCache } from '../../src/api/render'
import { v1 } from '../../src/api/v1'
import { endpoints } from '../../src/app'
import { incoming } from '../../src/http/incoming'
import { createServer } from '../../src/http/server'
import { anyWrite, resolved } from '../support/any-write'
import { createInstance, requestOf, serveOnly, withToken } from '../support/instance'
import { personOf } from '../support/people'
import { seedLibrary } from '../support/seed-library'

const kiroku = await createInstance({ seed: seedLibrary })
const { deps, store, token } = kiroku
const people = await Promise.all(['mio', 'Ritsu_T', 'azusa'].map((name) => personOf(kiroku, name)))
afterAll(kiroku.close)

const reads = endpoints.filter(({ method }) => method === 'GET')
const some =
  'fields=id,title,comment,user.name,work.title,episode.records_count,multiple_record.record.rating'
const targets = reads.flatMap(({ path }) => [
  path,
  `${path}?${some}`,
  `${path}?sort_id=desc&per_page=3&page=2`,
  ...(path === '/v1/comments' ? [`${path}?filter_record_id=1`, `${path}?filter_review_id=2`] : []),
])

interface Answering {
  handle(request: Request, peer: string): Promise<Response>
}

async function answersOf({ handle }: Answering): Promise<(readonly [target: string, body: string])[]> {
  const answer = async (target: string) => {
    const response = await handle(requestOf(target, withToken(token)), '192.0.2.1')
    return [target, await response.text()] as const
  }
  return Promise.all(targets.map(answer))
}

/** An application with only the lists, which takes a third of the time to create. */
function freshApp(): Answering {
  const app = createServer(deps).use(v1(createShared(deps), reads, []))
  return { handle: async (request, peer) => app.fetch(incoming(request, { peer, id: 'fresh' }, '')) }
}

/** A change of the catalogue as imports make it: by SQL, without the application noticing. */
const catalogueChange = fc
  .tuple(
    fc.constantFrom(
      "update works set title = ?, title_kana = 'かな' where id = 1",
      "update works set official_site_url = 'https://' || ? where id in (1, 2)",
      'update works set hidden = 1 - hidden, title = ? where id = 2',
      'update episodes set title = ? where id in (1, 6)',
      'update episodes set sort_number = sort_number % 7 + length(?) where work_id = 1',
      'update series set name = ? where id = 1',
      'update characters set name = ? where id = 2',
      'update people set name_en = ? where id = 1',
      'update organizations set name = ? where id = 2',
      'update casts set name = ? where id = 1',
      'update staffs set role_other = ? where id = 1',
      'update channels set name = ? where id = 1',
      'update prefectures set name = ? where id = 13',
      'update users set name = ? where id = 2',
    ),
    fc.constantFrom('星', '"\\\n', '🍥'),
  )
  .map(([sql, text]) => () => {
    store.handle.query(sql).run(text)
  })

const userWrite = anyWrite.map(([who, method, path, params]) => async () => {
  const response = await people[who]?.send(method, ...resolved(store.handle, path, params))
  expect(response?.status).toBeOneOf([200, 204, 400, 404])
})

test('every endpoint that writes is among those tried here', () => {
  const tried = new Set(
    fc
      .sample(anyWrite, { numRuns: 3000, seed: 1 })
      .map(
        ([, method, path]) =>
          `${method} ${path.replace(/\/(?:nth-)?\d+/, '/:id').replace(/\/items\/\d+$/, '/items/:work_id')}`,
      ),
  )
  // The imports have tests of their own.
  const writes = endpoints.filter(({ method, operation }) => method !== 'GET' && operation.tag !== 'Imports')
  const lacking = writes.map(({ method, path }) => `${method} ${path}`).filter((name) => !tried.has(name))
  expect(lacking, 'each is in test/support/any-write.ts').toEqual([])
})

test('after any write, every response equals that of an application with an empty cache', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(userWrite, catalogueChange), { maxLength: 12 }), async (changes) => {
      for (const change of changes) {
        await change()
        expect(await answersOf(kiroku)).toEqual(await answersOf(freshApp()))
      }
    }),
    { numRuns: 15 },
  )
}, 60_000)

test.each([1, 3000])('a server with room for %i bytes of renderings responds alike', async (capacity) => {
  const shared = {
    ...createShared(deps),
    renderer: createRenderer(deps.read, deps.config, createRenderingCache(capacity)),
  }
  for (const endpoint of reads) {
    const handle = serveOnly(endpoint, kiroku, shared)
    const own = [endpoint.path, `${endpoint.path}?per_page=5`, `${endpoint.path}?${some}`]
    // At the same time, so that the renderings of one page evict those of another.
    await Promise.all(
      own.map(async (target) => {
        const response = await handle(requestOf(target, withToken(token)), '192.0.2.1')
        expect([target, await response.text()]).toEqual([target, await (await kiroku.get(target)).text()])
      }),
    )
  }
})

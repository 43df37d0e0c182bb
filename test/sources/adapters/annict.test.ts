import { afterAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { buildSchema, parse, validate } from 'graphql'
import { annict } from '../../../src/sources/adapters/annict'
import { episodesQuery, worksQuery } from '../../../src/sources/adapters/annict/requests'
import { ShapeError, type SourceRequest, TokenRefused } from '../../../src/sources/source'
import { catalogueStore } from '../../support/catalogue-store'
import { answerBody, expectedLines, fixture, knownOf, runAdapter } from '../../support/source-run'

const [first, second, dates, errors] = await Promise.all(
  ['works-1', 'works-2', 'released-on', 'error'].map((name) => fixture(`annict/${name}.json`)),
)

const seasons = ['2026-autumn', '2027-winter']
const store = await catalogueStore()
afterAll(() => store.close())

test('two pages of works and their release dates yield the expected lines', async () => {
  const { lines, requests } = await ask(fixtureSite)
  expect(lines.map((line) => JSON.stringify(line))).toEqual(
    (await expectedLines('annict')).map((line) => JSON.stringify(line)),
  )
  expect(requests.map(({ url, as }) => [as, url])).toEqual([
    ['works', 'https://api.annict.com/graphql'],
    ['works', 'https://api.annict.com/graphql'],
    [
      'dates',
      'https://api.annict.com/v1/works?filter_ids=900001,900002,900003&fields=id,released_on,released_on_about&per_page=50',
    ],
  ])
  expect(
    requests.every(({ hasToken, accept }) => hasToken === true && accept[0] === 'application/json'),
  ).toBe(true)
  expect(requests.map(variablesOf)).toMatchObject([
    { seasons, first: 50, after: null, withPrograms: true },
    { seasons, first: 50, after: 'Mg', withPrograms: true },
    {},
  ])
})

test('the lines are imported without problems, and change nothing the second time', async () => {
  const { lines } = await ask(fixtureSite)
  const [header = {}, ...rows] = lines
  const report = await store.load(header, rows, { matchTitles: annict.matchTitles })
  expect(report.problems).toEqual([])
  expect(report.warnings).toEqual([])
  expect(report.counts.episode).toMatchObject({ created: 3 })
  const again = await store.load(header, rows, { matchTitles: annict.matchTitles })
  for (const counts of Object.values(again.counts)) expect(counts).toMatchObject({ created: 0, updated: 0 })
  expect(store.row('select title, mal_anime_id from works where id = 900001')).toEqual({
    title: '星屑ポストマン',
    mal_anime_id: '990001',
  })
})

test('episodes beyond the first page are requested, and come before the broadcasts that refer to them', async () => {
  const works = JSON.parse(second ?? '')
  const [work] = works.data.searchWorks.nodes
  const { programs } = JSON.parse(first ?? '').data.searchWorks.nodes[0]
  Object.assign(work, {
    episodes: { pageInfo: { hasNextPage: true, endCursor: 'NQ' }, nodes: [episode(1)] },
    programs: {
      nodes: [3, 9].map((id) => ({ ...programs.nodes[0], annictId: id, episode: { annictId: id } })),
    },
  })
  const pages: Record<string, unknown> = {
    NQ: { pageInfo: { hasNextPage: true, endCursor: 'Nw' }, nodes: [episode(2)] },
    Nw: { pageInfo: { hasNextPage: false, endCursor: 'OA' }, nodes: [episode(3)] },
  }
  const { requests, lines } = await ask((request) => {
    if (request.as === 'dates') return dates ?? ''
    if (request.as === 'works') return JSON.stringify(works)
    const page = { annictId: work.annictId, episodes: pages[String(variablesOf(request).after)] }
    return JSON.stringify({ data: { searchWorks: { nodes: [page] } } })
  })
  expect(requests.filter(({ as }) => as === 'episodes').map(variablesOf)).toEqual([
    { annictIds: [900003], after: 'NQ' },
    { annictIds: [900003], after: 'Nw' },
  ])
  const keys = (type: string) => lines.filter((line) => line.type === type).map(({ key }) => key)
  expect(keys('episode')).toEqual(['annict:1', 'annict:2', 'annict:3'])
  // Annict does not show episode 9.
  expect(keys('program')).toEqual(['annict:3'])
})

test('works that users are still watching are requested by number, and with --full the seasons of all watched ones', async () => {
  const { requests } = await ask(fixtureSite, {
    isFull: true,
    open: ['900002', '77', '5'],
    watched: ['2010-all', '2011-spring', '2026-autumn', '2008-winter'],
  })
  const asked = requests.filter(({ as }) => as === 'works').map(variablesOf)
  expect(asked.map(({ seasons, annictIds, withPrograms }) => [seasons ?? annictIds, withPrograms])).toEqual([
    [seasons, true],
    [seasons, true],
    [[5, 77], true],
    [[5, 77], true],
    [['2008-winter', '2011-spring'], false],
    [['2008-winter', '2011-spring'], false],
  ])
})

test('never the whole site: nothing is requested if no season and no work is in scope', async () => {
  const { requests, lines } = await ask(fixtureSite, { seasons: [], isFull: true, watched: ['2010-all'] })
  expect(requests).toEqual([])
  expect(lines).toHaveLength(1)
})

test('a limit bounds the requests', async () => {
  const { requests } = await ask(fixtureSite, { limit: 2, open: ['77'] })
  expect(requests.map(({ as }) => as)).toEqual(['works', 'dates'])
  expect(variablesOf(requests[0])).toMatchObject({ first: 2 })
})

test('the queries fit the schema that Annict and kiroku share', async () => {
  const schema = buildSchema(await Bun.file('docs/schema.graphql').text())
  for (const query of [worksQuery, episodesQuery]) expect(validate(schema, parse(query))).toEqual([])
})

test('endless pages are refused', async () => {
  const endless = ask((request) => (request.as === 'works' ? (first ?? '') : (dates ?? '')))
  await expect(endless).rejects.toThrow('searchWorks must end within 500 pages')
})

test('errors with status 200 are a change of shape, unless they are about the token', async () => {
  const read = (as: string, text: string) => annict.read(as, answerBody(text), { location: undefined })
  await expect(read('works', errors ?? '')).rejects.toThrow(
    new ShapeError(
      'the answer',
      `must not have errors, and says "Field 'nope' doesn't exist on type 'Work'"`,
    ),
  )
  for (const message of [
    'Not authorized',
    'The access token is invalid',
    'Unauthorized',
    'insufficient_scope',
  ])
    await expect(read('works', JSON.stringify({ errors: [{ message }] }))).rejects.toThrow(TokenRefused)
  await expect(read('works', '{"data":{"searchWorks":null}}')).rejects.toThrow(ShapeError)
  await expect(read('episodes', '<html>')).rejects.toThrow('the answer must be JSON')
  await expect(read('works', (first ?? '').replace('"annictId": 900001', '"annictId": "x"'))).rejects.toThrow(
    'the answer.data.searchWorks.nodes[0].annictId must be integer',
  )
})

test('any JSON is accepted or refused as a change of shape', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('works', 'episodes', 'dates'), fc.json(), async (as, json) => {
      const refused = await annict.read(as, answerBody(json), { location: undefined }).catch((cause) => cause)
      expect(refused).toBeInstanceOf(ShapeError)
    }),
  )
})

interface Asked {
  readonly isFull?: boolean
  readonly seasons?: readonly string[]
  readonly limit?: number
  readonly open?: readonly string[]
  readonly watched?: readonly string[]
}

async function ask(
  site: (request: SourceRequest) => string,
  { open = [], watched = [], ...more }: Asked = {},
) {
  const known = { ...knownOf([]), openWorkIds: () => open, watchedSeasons: () => watched }
  const requests: SourceRequest[] = []
  const answer = (request: SourceRequest) => {
    requests.push(request)
    return site(request)
  }
  const { lines } = await runAdapter(annict, answer, { scope: { seasons, ...more }, known })
  return { lines, requests }
}

function fixtureSite(request: SourceRequest): string {
  if (request.as === 'dates') return dates ?? ''
  return (variablesOf(request).after === null ? first : second) ?? ''
}

const variablesOf = (request: SourceRequest | undefined): Record<string, unknown> =>
  JSON.parse(JSON.stringify(request?.json ?? {})).variables ?? {}

const episode = (annictId: number) => ({
  annictId,
  number: annictId,
  numberText: `第${annictId}話`,
  sortNumber: annictId * 10,
  title: null,
})

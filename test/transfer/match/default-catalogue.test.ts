import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detect } from '../../../src/transfer/detect'
import { createMatcher } from '../../../src/transfer/match/create-matcher'
import type { Match, Matcher } from '../../../src/transfer/match/match'
import { place } from '../../../src/transfer/match/place'
import type { SaidPlay } from '../../../src/transfer/match/said-play'
import { indexTitles, titleKey } from '../../../src/transfer/match/title-index'
import type { ListRow } from '../../../src/transfer/row'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { defaultCatalogue, isBuilt } from '../../support/default-catalogue'
import { rowOf } from './catalogue'

const lists = join(import.meta.dir, '../lists')

let store: CatalogueStore
let match: Matcher
beforeAll(async () => {
  if (!isBuilt) return
  store = await catalogueStore(await defaultCatalogue())
  match = createMatcher(store.read, { choices: new Map() })
}, 120_000)
afterAll(() => store?.close())

interface ExpectedRow {
  readonly state?: string
  readonly reason?: string | null
  readonly work_id?: number | null
  readonly title?: string
  readonly matched_by?: string
  readonly grows_to?: number
}

interface Expected {
  readonly source: string
  readonly file_error?: string
  readonly rows: readonly ExpectedRow[]
}

const expectations = [...new Bun.Glob('*/*.expected.json').scanSync(lists)]
  .sort()
  .map((name): [string, Expected] => [
    name.replace('.expected.json', ''),
    JSON.parse(readFileSync(join(lists, name), 'utf8')),
  ])
  // Others only show what is read from a file.
  .filter(
    ([, { file_error, rows }]) => file_error === undefined && rows.some(({ state }) => state !== undefined),
  )

async function matchesIn(name: string): Promise<readonly Match[]> {
  const { reader, contents } = await detect(join(lists, name), name)
  const matches: Match[] = []
  for await (const row of reader.rows(contents)) matches.push(...(await match(row)))
  return matches
}

test.skipIf(!isBuilt).each(expectations)(
  'each row of an example is the work that it should be: %s',
  async (name, { source, rows }) => {
    const matches = await matchesIn(name)
    expect(matches).toHaveLength(rows.length)
    // Rows of these are works, in any order.
    const inOrder = ['trakt', 'tvtime'].includes(source)
      ? rows.map(({ work_id }, at) => matches.find((one) => one.workId === work_id) ?? matches[at])
      : matches
    expect(inOrder.map((match, at) => shown(match, rows[at]))).toEqual(rows.map((row) => shownAs(row)))
  },
)

interface Shown {
  readonly work: number | null | undefined
  readonly by: string | null | undefined
  readonly reason: string | null | undefined
  readonly growsTo: number | null | undefined
}

function shown(match: Match | undefined, row: ExpectedRow | undefined): Shown {
  const isSame = match?.workId === row?.work_id || isCalled(match, row?.title)
  const isListed = row?.grows_to !== undefined && match?.growsTo === null && isLong(match, row.grows_to)
  return {
    work: isSame || row?.work_id === undefined ? row?.work_id : match?.workId,
    by: row?.matched_by === undefined ? undefined : match?.matchedBy,
    reason: match?.reason,
    growsTo: isListed ? row.grows_to : match?.growsTo,
  }
}

const shownAs = (row: ExpectedRow): Shown => ({
  work: row.work_id,
  by: row.matched_by,
  reason: row.state === 'check' ? row.reason : null,
  growsTo: row.grows_to ?? null,
})

/** The default catalogue may give a work another id than the examples: then its title decides. */
const isCalled = (match: Match | undefined, title: string | undefined) =>
  match?.workId !== null && title !== undefined && titleKey(titleOf(match?.workId ?? 0)) === titleKey(title)

const titleOf = (id: number) => store.row<{ title: string }>('select title from works where id = ?', id).title

/** Lists that were empty when the examples were made have their episodes now. */
const isLong = ({ workId }: Match, count: number) =>
  store.row<{ n: number }>('select episodes_count as n from works where id = ?', workId).n >= count

const pairs = readFileSync(join(import.meta.dir, 'pairs.csv'), 'utf8')
  .trim()
  .split('\n')
  .slice(1)
  .map((line) => line.split(','))
  .map(([work, episode, ...keys]) => ({ work: Number(work), episode: Number(episode), keys }))

type Pair = (typeof pairs)[number]

/** How many of them can be decided without broadcast dates; all is not expected. */
const decidable = 68

test.skipIf(!isBuilt).each([
  [
    'its id at TMDB',
    ({ keys: [id, season, episode] }: Pair) => seriesRow('tmdb', `tv/${id}`, season, episode, ''),
  ],
  [
    'its name, numbered as at TheTVDB',
    ({ keys: [, , , id, season, episode, , title] }: Pair) => seriesRow('tvdb', id, season, episode, title),
  ],
])('an episode of a series is told by season and number, never wrongly: by %s', async (_, rowFor) => {
  const results = { right: 0, undecided: 0 }
  for (const pair of pairs) {
    const [found] = await match(rowFor(pair))
    const place = [found?.workId, found?.row.plays?.[0]?.episode]
    if (found?.workId === null) results.undecided++
    else {
      expect([pair, ...place]).toEqual([pair, pair.work, pair.episode])
      results.right++
    }
  }
  expect(results).toEqual({ right: decidable, undecided: pairs.length - decidable })
})

const seriesRow = (site: 'tmdb' | 'tvdb', id = '', season = '', episode = '', title = ''): ListRow =>
  rowOf({ title, refs: [{ site, id }], plays: [{ season: Number(season), episode: Number(episode) }] })

const numbersAt = (season = '', episode = '') => ({ season: Number(season), episode: Number(episode) })
const tmdbRef = (id = '') => [{ site: 'tmdb', id: `tv/${id}` }] as const

test.skipIf(!isBuilt).each<[string, number, (keys: readonly string[]) => Partial<SaidPlay>]>([
  [
    'its id at TMDB',
    decidable,
    ([id, season, episode]) => ({ refs: tmdbRef(id), ...numbersAt(season, episode) }),
  ],
  [
    'its id and its name',
    decidable,
    ([id, season, episode, , , , , name = '']) => ({
      ...{ refs: tmdbRef(id), titles: [name], ...numbersAt(season, episode) },
    }),
  ],
  [
    'its name, numbered as at TheTVDB',
    decidable,
    ([, , , id = '', season, episode, , name = '']) => ({
      ...{ refs: [{ site: 'tvdb', id }], titles: [name], ...numbersAt(season, episode) },
    }),
  ],
  // Names of few Latin letters, such as Fire Force, are not enough without a date.
  [
    'its English name',
    50,
    ([, , , , season, episode, , name = '', , english]) => ({
      ...{ titles: [english || name], ...numbersAt(season, episode) },
    }),
  ],
])('a player tells an episode of a series, never wrongly: by %s', async (_, undated, saidFor) => {
  const titles = await indexTitles(store.read)
  const results = { dated: 0, undated: 0 }
  for (const { work, episode, keys } of pairs) {
    const said = { titles: [], refs: [], isMovie: false, episode: 0, ...saidFor(keys) }
    const day = keys[8] === '' ? undefined : keys[8]
    for (const airDate of day === undefined ? [undefined] : [day, undefined]) {
      const found = await place(store.read, { titles, choices: new Map() }, { ...said, airDate })
      if (!('work' in found)) continue
      expect([keys, airDate, found.work.id, found.episode]).toEqual([keys, airDate, work, episode])
      results[airDate === undefined ? 'undated' : 'dated']++
    }
  }
  expect(results).toEqual({ dated: pairs.filter(({ keys }) => keys[8] !== '').length, undated })
})

test.skipIf(!isBuilt).each([
  ['進撃の巨人 The Final Season', 6779, { bangumi: 285666, mal: 40028, anilist: 110277, anidb: 14977 }],
  ['進撃の巨人 The Final Season Part.2', 8451, { bangumi: 331752, mal: 48583, anilist: 131681 }],
  ['ストーンオーシャン', 8307, { bangumi: 332261, mal: 48661, anilist: 131942 }],
  ['ストーンオーシャン 第2クール', 9482, { bangumi: 375913, mal: 51367, anilist: 146722 }],
])('ids that the packages have wrong lead to the right work: %s', async (_, work, ids) => {
  for (const [site, id] of Object.entries(ids)) {
    const [found] = await match(rowOf({ refs: [{ site: site as 'mal', id: String(id) }] }))
    expect([site, found?.workId]).toEqual([site, work])
  }
})

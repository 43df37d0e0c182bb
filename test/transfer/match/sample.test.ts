import { afterAll, beforeAll, expect, test } from 'bun:test'
import { place } from '../../../src/transfer/match/place'
import type { SaidPlay } from '../../../src/transfer/match/said-play'
import { indexTitles } from '../../../src/transfer/match/title-index'
import { type CatalogueStore, catalogueStore } from '../../support/catalogue-store'
import { defaultCatalogue, isBuilt } from '../../support/default-catalogue'

let store: CatalogueStore
beforeAll(async () => {
  if (isBuilt) store = await catalogueStore(await defaultCatalogue())
}, 300_000)
afterAll(() => store?.close())

interface TaggedWork {
  readonly id: number
  readonly title: string
  readonly series: number
  readonly season: number
  readonly begin: string
  readonly count: number
}

/** Works of series all of whose seasons, days and lengths are known: numbers at TMDB count through those of a season. */
const tagged = () =>
  store.rows<TaggedWork>(`
    with tags as (
      select local_id as id, cast(substr(external_id, 4) as integer) as series,
        cast(substr(external_id, instr(external_id, '/season/') + 8) as integer) as season
      from external_ids where kind = 'work' and ns = 'tmdb' and external_id glob 'tv/*/season/[1-9]*'
        and external_id not glob '*/episode/*'),
    known as (
      select works.id, title, tags.series, tags.season, released_on as begin,
        iif(exists (select 1 from episodes where work_id = works.id and hidden = 0 and estimated = 0),
          episodes_count, episodes_estimate) as count
      from tags join works using (id) where hidden = 0 and media in ('tv', 'web'))
    select * from known where series not in (
      select series from known where length(begin) < 10 or count is null or count < 2)
      -- Nobody can tell which of two is meant that share their weeks.
      and series not in (
        select one.series from known as one join known as other on other.series = one.series and other.season = one.season
        where other.id <> one.id and abs(julianday(other.begin) - julianday(one.begin)) < 60)
    order by series, begin, id`)

/** As random as it has to be, and the same in each run. */
function createDice(seed: number): (sides: number) => number {
  let state = seed
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * sides)
  }
}

const dayMs = 86_400_000

/** Of each work of 500 series one episode, as TMDB numbers it, on the day of its week or a week or two later. */
function samplePlays(seed: number) {
  const dice = createDice(seed)
  const series = [...Map.groupBy(tagged(), (work) => work.series).values()]
  for (let at = series.length - 1; at > 0; at -= 1) {
    const other = dice(at + 1)
    const [one, two] = [series[at], series[other]]
    if (one && two) [series[at], series[other]] = [two, one]
  }
  return series.slice(0, 500).flatMap((works) =>
    works.map((work) => {
      const before = works.filter(({ season, begin }) => season === work.season && begin < work.begin)
      const number = 1 + dice(work.count)
      const days = 7 * (number - 1 + Math.min(dice(3), number - 1))
      return {
        ...{ work, number, series: works[0] },
        episode: before.reduce((sum, { count }) => sum + count, number),
        airDate: new Date(Date.parse(work.begin) + days * dayMs).toISOString().slice(0, 10),
      }
    }),
  )
}

type SampledPlay = ReturnType<typeof samplePlays>[number]

const byId = ({ work, episode }: SampledPlay) => ({
  ...{ refs: [{ site: 'tmdb', id: `tv/${work.series}` }] as const, titles: [] },
  ...{ season: work.season, episode },
})
const byName = ({ work, episode, series }: SampledPlay) => ({
  ...{ refs: [], titles: [series?.title ?? ''], season: work.season, episode },
})
const onDay = ({ airDate }: SampledPlay) => ({ airDate })

/** At least so many of a hundred right, and at most so many wrong. */
test.skipIf(!isBuilt).each<[string, (play: SampledPlay) => Omit<SaidPlay, 'isMovie'>, number, number]>([
  ['its id at TMDB and the day', (one) => ({ ...byId(one), ...onDay(one) }), 99.3, 0.2],
  ['its id at TMDB', byId, 96.1, 1],
  ['its name and the day', (one) => ({ ...byName(one), ...onDay(one) }), 94, 0.5],
  ['its name', byName, 84.7, 0.8],
])('of 500 series, episodes are told by season, number and %s', async (name, saidFor, least, most) => {
  const context = { titles: await indexTitles(store.read), choices: new Map() }
  const results = { right: 0, wrong: 0, undecided: 0 }
  for (const play of samplePlays(33)) {
    const found = await place(store.read, context, { isMovie: false, ...saidFor(play) })
    if (!('work' in found)) results.undecided += 1
    else if (found.work.id === play.work.id && found.episode === play.number) results.right += 1
    else results.wrong += 1
  }
  const hundredth = (results.right + results.wrong + results.undecided) / 100
  const holds = { right: results.right / hundredth >= least, wrong: results.wrong / hundredth <= most }
  expect([name, results, holds]).toEqual([name, results, { right: true, wrong: true }])
})

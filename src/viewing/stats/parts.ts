import { begunKinds, meanOf, scoresOf, tenths } from '../../library/counting/count-works'
import type { Makers } from '../../library/counting/makers'
import { ratingStates } from '../../library/ratings'
import { html, type Markup } from '../../pages/html'
import { icon } from '../../pages/icons'
import { chosenTitle } from '../../pages/title'
import type { Visit } from '../../web/visit'
import { workPath } from '../parts/cover'
import { seasonName } from '../parts/season'
import { mediumName } from '../work/facts'
import { type Bar, fewest, rowChart } from './charts'
import { few, makerName, mostNamed, type PartsView, part } from './part'

/** Four words; for who rates by numbers, and has enough of them, ten bars of these. */
export function ratings(view: PartsView): Markup {
  const { visit, statistics } = view
  const { t, preferences } = visit
  const rated = [...statistics.works.ratings]
  if (rated.length === 0) return html``
  const aside = t.stats.works(rated.length)
  const works = rated.map(([work]) => work)
  if (rated.length < fewest) return part(t.stats.ratings, aside, few(view, 'ratings', works))
  const scores = scoresOf(statistics.works)
  if (preferences.ratingDisplay !== 'words' && scores.length >= fewest) return scoreChart(view, aside, scores)
  const bars = [...ratingStates].reverse().map(
    (state): Bar => ({
      label: t.ratings[state],
      mark: icon(state, 16),
      count: rated.filter(([, { rating }]) => rating === state).length,
    }),
  )
  const heads = [t.ratings.title, t.stats.worksHead]
  const chart = { name: 'ratings', title: t.stats.ratings, sentence: bestOf(visit, bars), bars, heads }
  return part(t.stats.ratings, aside, rowChart(visit, chart))
}

function scoreChart({ visit, statistics }: PartsView, aside: string, scores: readonly number[]): Markup {
  const { t } = visit
  const bars = tenths(scores)
    .map((count, at): Bar => ({ label: `${at * 10 + 1}–${at * 10 + 10}`, count }))
    .reverse()
  const others = statistics.works.ratings.size - scores.length
  const sentence = `${t.stats.mean(meanOf(scores) ?? 0)}${others === 0 ? '' : t.stats.onlyWords(others)}`
  const heads = [t.ratings.title, t.stats.worksHead]
  const chart = { name: 'ratings', title: t.stats.ratings, sentence, bars, heads }
  return part(t.stats.ratings, aside, html`<p>${sentence}</p>${rowChart(visit, chart)}`)
}

/** Which bar is the longest, in words. */
function bestOf({ t }: Visit, bars: readonly Bar[]): string {
  const [best] = bars.toSorted((one, other) => other.count - one.count)
  return best === undefined ? '' : t.stats.most(best.label, t.stats.works(best.count))
}

const mostSeasons = 8

/** Of when the works are, and what. */
export function whatWorks(view: PartsView): readonly Markup[] {
  const { visit, statistics } = view
  const { t } = visit
  const { decades, seasons, media, seen } = statistics.works
  const ofDecades = decades.toReversed().map(([year, count]): Bar => ({ label: t.stats.decade(year), count }))
  const ofSeasons = seasons
    .slice(-mostSeasons)
    .toReversed()
    .map(([name, count]): Bar => {
      const [year, season = ''] = name.split('-')
      return { label: seasonName(visit, { season_year: Number(year), season }), count }
    })
  const ofMedia = media.map(
    (one): Bar => ({ label: mediumName(visit, one.media), count: one.works, more: [one.episodes] }),
  )
  return [
    workChart(view, {
      name: 'decades',
      title: t.stats.decades,
      bars: ofDecades,
      works: seen.filter(({ season_year }) => season_year !== null),
      heads: [t.stats.decadeHead],
    }),
    workChart(view, {
      name: 'seasons',
      title: t.stats.seasons,
      bars: ofSeasons,
      works: seen.filter(({ season }) => season !== null),
      heads: [t.seasons.which],
    }),
    statistics.choice.media === undefined
      ? workChart(view, {
          name: 'media',
          title: t.stats.media,
          bars: ofMedia,
          works: seen,
          heads: [t.work.medium, t.stats.episodesHead],
        })
      : html``,
  ]
}

interface WorkChart {
  readonly name: string
  readonly title: string
  readonly bars: readonly Bar[]
  readonly works: readonly { readonly id: number }[]
  /** Without that of the works. */
  readonly heads: readonly [string, ...string[]]
}

function workChart(
  view: PartsView,
  { name, title, bars, works, heads: [first, ...more] }: WorkChart,
): Markup {
  const { visit } = view
  const { t } = visit
  const number = bars.reduce((sum, { count }) => sum + count, 0)
  if (number === 0) return html``
  const aside = t.stats.works(number)
  if (number < fewest)
    return part(
      title,
      aside,
      few(
        view,
        name,
        works.map(({ id }) => id),
      ),
    )
  const chart = {
    name,
    title,
    sentence: bestOf(visit, bars),
    bars,
    heads: [first, t.stats.worksHead, ...more],
  }
  return part(title, aside, rowChart(visit, chart))
}

export function completion(view: PartsView): Markup {
  const { visit, statistics } = view
  const { t } = visit
  const { completion: begun, droppedAfter } = statistics.works
  const all = begunKinds.flatMap((kind) => begun[kind])
  if (all.length === 0) return html``
  if (all.length < fewest) return part(t.stats.completion, '', few(view, 'completion', all))
  const bars = begunKinds.map(
    (kind): Bar => ({ label: t.statuses[kind], mark: icon(kind, 14), count: begun[kind].length }),
  )
  const dropped = droppedAfter === undefined ? '' : t.stats.droppedAfter(droppedAfter)
  const sentence = `${t.stats.ofBegun(all.length, begun.watched.length)}${dropped}`
  const chart = {
    name: 'completion',
    title: t.stats.completion,
    sentence,
    bars,
    heads: [t.seasons.status, t.stats.worksHead],
  }
  return part(t.stats.completion, '', html`<p>${sentence}</p>${rowChart(visit, chart)}`)
}

export function rewatched(view: PartsView): Markup {
  const { visit, statistics, names } = view
  const { t } = visit
  const again = statistics.works.rewatched
  if (again.length === 0) return html``
  const sentence = t.stats.againSentence(again.length)
  if (again.length < fewest)
    return part(
      t.stats.rewatched,
      '',
      html`<p>${sentence}</p>${few(
        view,
        'rewatched',
        again.map(({ work_id }) => work_id),
      )}`,
    )
  const times = new Map(again.map(({ work_id, times }) => [work_id, times]))
  const bars = names.of(again.slice(0, mostNamed).map(({ work_id }) => work_id)).map((work): Bar => {
    const { text, lang } = chosenTitle(visit, work)
    const name = html`<a href="${workPath(visit, work.id)}" lang="${lang}">${text}</a>`
    return { label: text, name, count: times.get(work.id) ?? 0 }
  })
  const chart = {
    name: 'rewatched',
    title: t.stats.rewatched,
    sentence,
    bars,
    heads: [t.library.columns.title, t.stats.timesHead],
  }
  return part(t.stats.rewatched, '', html`<p>${sentence}</p>${rowChart(visit, chart)}`)
}

/** Only where enough of it is known. */
export function makers({ visit, statistics }: PartsView, found: readonly Makers[]): readonly Markup[] {
  const { t } = visit
  return found.map(({ name, makers: some, known }) => {
    if (known < fewest || some.length === 0) return html``
    const bars = some.map((maker): Bar => {
      return { label: makerName(visit, maker), count: maker.works }
    })
    const title = t.stats.makers[name]
    const chart = {
      name,
      title,
      sentence: bestOf(visit, bars),
      bars,
      heads: [t.stats.nameHead, t.stats.worksHead],
    }
    return part(title, t.stats.knownOf(known, statistics.works.seen.length), rowChart(visit, chart))
  })
}

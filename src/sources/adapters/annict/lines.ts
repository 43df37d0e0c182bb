import { type CatalogueLine, headerOf } from '../../source'
import type { Answer, MoreEpisodes, ReleaseDate } from './answers'
import { castLines, staffLines } from './credits'
import { idsOf, keyOf, lineOf } from './line'
import { programLines } from './programs'
import type { Episode, Work } from './shapes'
import { workLine } from './work-line'

/** Each row once, after those it refers to. */
export function* linesOf(answers: readonly Answer[]): Generator<CatalogueLine> {
  yield headerOf('annict', ['annict'])
  const dates = new Map(datesIn(answers).map((date) => [date.id, date]))
  const more = Map.groupBy(moreIn(answers), ({ work }) => work)
  const told = new Set<string>()
  for (const work of worksIn(answers)) {
    const episodes = [work.episodes.nodes, ...(more.get(work.annictId) ?? []).map((page) => page.episodes)]
    for (const line of linesOfWork(work, episodes.flat(), dates.get(work.annictId))) {
      const name = `${line.type} ${line.key}`
      if (!told.has(name)) yield line
      told.add(name)
    }
  }
}

function* linesOfWork(
  work: Work,
  episodes: readonly Episode[],
  date: ReleaseDate | undefined,
): Generator<CatalogueLine> {
  for (const series of work.seriesList.nodes) {
    const { name, nameRo, nameEn } = series
    yield lineOf('series', series, { ids: idsOf(series), name, name_ro: nameRo, name_en: nameEn })
  }
  yield workLine(work, date)
  for (const episode of episodes) yield episodeLine(keyOf(work), episode)
  for (const cast of work.casts.nodes) yield* castLines(keyOf(work), cast)
  for (const staff of work.staffs.nodes) yield* staffLines(keyOf(work), staff)
  yield* programLines(work, new Set(episodes.map(({ annictId }) => annictId)))
}

const episodeLine = (work: string, episode: Episode): CatalogueLine =>
  lineOf('episode', episode, {
    ids: idsOf(episode),
    work,
    number: episode.number?.toString(),
    number_text: episode.numberText,
    sort_number: episode.sortNumber,
    title: episode.title,
  })

const worksIn = (answers: readonly Answer[]): Work[] =>
  answers.flatMap((answer) => (answer.as === 'works' ? answer.works : []))

const moreIn = (answers: readonly Answer[]): MoreEpisodes[] =>
  answers.flatMap((answer) => (answer.as === 'episodes' ? answer.more : []))

const datesIn = (answers: readonly Answer[]): ReleaseDate[] =>
  answers.flatMap((answer) => (answer.as === 'dates' ? answer.dates : []))

import type { Known } from '../../known'
import { jsonLines } from '../../packed/json-lines'
import { type Member, zipMembers } from '../../packed/zip'
import { type AnswerBody, type CatalogueLine, headerOf, type Scope, ShapeError } from '../../source'
import { type MainEpisode, readEpisode } from './episode'
import { readSubject, workLine } from './subject'

/** Works, then their episodes. Only the ids of the dump's anime are held in memory. */
export async function* archiveLines(
  zips: readonly AnswerBody[],
  known: Known,
  scope: Scope,
): AsyncGenerator<CatalogueLine> {
  for (const zip of zips) {
    const members = await zipMembers(zip)
    const episodes = member(members, 'episode.jsonlines')
    yield headerOf('bangumi-archive')
    const firstSorts = new Map<number, number>()
    for await (const { id, line } of works(member(members, 'subject.jsonlines'), known, scope)) {
      if (line.no_episodes !== true) firstSorts.set(id, Number.POSITIVE_INFINITY)
      yield line
    }
    yield* episodesOf(episodes, firstSorts)
  }
}

async function* works(subjects: Member, known: Known, { limit = Number.POSITIVE_INFINITY }: Scope) {
  let count = 0
  for await (const value of valuesOf(subjects)) {
    const subject = readSubject(value)
    const line = subject && workLine(subject, known)
    if (subject === undefined || line === undefined) continue
    if (++count > limit) return
    yield { id: subject.id, line }
  }
}

/** The numbers of a later season may continue those of the one before; here each work begins at 1. */
async function* episodesOf(file: Member, firstSorts: Map<number, number>): AsyncGenerator<CatalogueLine> {
  for await (const { subject_id, sort } of mainEpisodes(file)) {
    const first = firstSorts.get(subject_id)
    if (first !== undefined) firstSorts.set(subject_id, Math.min(first, sort))
  }
  for await (const episode of mainEpisodes(file)) {
    const first = firstSorts.get(episode.subject_id)
    if (first !== undefined) yield episode.line(Math.max(0, Math.ceil(first) - 1))
  }
}

async function* mainEpisodes(file: Member): AsyncGenerator<MainEpisode> {
  for await (const value of valuesOf(file)) {
    const episode = readEpisode(value)
    if (episode !== undefined) yield episode
  }
}

const valuesOf = (file: Member) => jsonLines(file.name, file.bytes(), maxBytes)

/** Of one unpacked file; the largest had 960 MB in 2026. */
const maxBytes = 4 * 2 ** 30

function member(members: readonly Member[], name: string): Member {
  const found = members.find((one) => one.name === name)
  if (found === undefined) throw new ShapeError('the zip', `has no ${name}`)
  return found
}

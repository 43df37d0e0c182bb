import Type, { type Static } from 'typebox'
import { checkOf } from '../../../values/value'
import type { Known } from '../../known'
import { jsonLines } from '../../packed/json-lines'
import { type ZipMember, zipMembers } from '../../packed/zip'
import { type AnswerBody, type CatalogueLine, headerOf, type RunScope, ShapeError } from '../../source'
import { readSubject, workLine } from './subject'

/** Works, then their episodes. Only the ids of the dump's anime are held in memory. */
export async function* archiveLines(
  zips: readonly AnswerBody[],
  known: Known,
  scope: RunScope,
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

async function* works(subjects: ZipMember, known: Known, { limit = Number.POSITIVE_INFINITY }: RunScope) {
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
async function* episodesOf(file: ZipMember, firstSorts: Map<number, number>): AsyncGenerator<CatalogueLine> {
  for await (const { subject_id, sort } of mainEpisodes(file)) {
    const first = firstSorts.get(subject_id)
    if (first !== undefined) firstSorts.set(subject_id, Math.min(first, sort))
  }
  for await (const episode of mainEpisodes(file)) {
    const first = firstSorts.get(episode.subject_id)
    if (first !== undefined) yield episode.line(Math.max(0, Math.ceil(first) - 1))
  }
}

async function* mainEpisodes(file: ZipMember): AsyncGenerator<MainEpisode> {
  for await (const value of valuesOf(file)) {
    const episode = readEpisode(value)
    if (episode !== undefined) yield episode
  }
}

const valuesOf = (file: ZipMember) => jsonLines(file.name, file.bytes(), maxBytes)

/** Of one unpacked file; the largest had 960 MB in 2026. */
const maxBytes = 4 * 2 ** 30

function member(members: readonly ZipMember[], name: string): ZipMember {
  const found = members.find((one) => one.name === name)
  if (found === undefined) throw new ShapeError('the zip', `has no ${name}`)
  return found
}

const Episode = Type.Object({
  id: Type.Integer({ minimum: 1 }),
  subject_id: Type.Integer({ minimum: 1 }),
  type: Type.Integer(),
  sort: Type.Number({ minimum: 0, maximum: 100_000 }),
  name: Type.String(),
})

interface MainEpisode extends Static<typeof Episode> {
  /** `before`: how many numbers precede the work's own. */
  line(before: number): CatalogueLine
}

/** Undefined for specials, openings, endings and trailers. */
function readEpisode(value: unknown): MainEpisode | undefined {
  if (!isShaped(value)) throw new ShapeError('episode.jsonlines', 'has an episode of another shape')
  return value.type === main ? { ...value, line: (before) => lineOf(value, before) } : undefined
}

const isShaped = checkOf(Episode)
const main = 0

function lineOf({ id, subject_id, sort, name }: Static<typeof Episode>, before: number): CatalogueLine {
  const number = Math.round((sort - before) * 10) / 10
  return {
    type: 'episode',
    key: `bangumi:${id}`,
    ids: { bangumi: id },
    work: `bangumi:${subject_id}`,
    number: String(number),
    number_text: `第${number}話`,
    sort_number: Math.round(number * 10),
    ...(name.trim() !== '' && { title: name.trim() }),
  }
}

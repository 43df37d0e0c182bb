import { packedRules } from '../../../db/relations/packed-rules' with { type: 'macro' }
import type { KnownWork } from './known-work'

/** An episode: the ids of its work, such as `mal:21`, and its number there. */
export interface RelatedEpisode {
  readonly ids: readonly string[]
  readonly episode: number
}

/** The same episode as counted elsewhere; undefined if no rule applies. */
export function relatedEpisode(ids: readonly string[], episode: number): RelatedEpisode | undefined {
  for (const rule of rulesOf(ids))
    if (episode >= rule.first && episode <= rule.last)
      return { ids: rule.to, episode: rule.toFirst + episode - rule.first }
  return undefined
}

/** The same, for a number beyond the work's end: a rule to another work says where that is, one to itself does not. */
export function continuedEpisode(
  { ids, count }: Pick<KnownWork, 'ids' | 'count'>,
  episode: number,
): RelatedEpisode | undefined {
  const related = relatedEpisode(ids, episode)
  const isOwn = related?.ids.some((id) => ids.includes(id))
  return isOwn && episode >= 1 && episode <= (count ?? 0) ? undefined : related
}

/**
 * Where a work's episodes continue as those of another (`db/relations/anime-relations.txt`, CC0): `- A:13-24 ->
 * B:1-12!`, with ids `MAL|Kitsu|AniList`; `?` is unknown or open, `~` the source's id, `!` repeats the rule for the
 * destination.
 */
interface Rule {
  readonly first: number
  readonly last: number
  readonly to: readonly string[]
  readonly toFirst: number
}

function rulesOf(ids: readonly string[]): readonly Rule[] {
  rules ??= rulesIn(Bun.zstdDecompressSync(Buffer.from(packedRules(), 'base64')).toString())
  for (const id of ids) {
    const found = rules.get(id)
    if (found !== undefined) return found
  }
  return []
}

let rules: ReadonlyMap<string, readonly Rule[]> | undefined

function rulesIn(file: string): ReadonlyMap<string, readonly Rule[]> {
  const found = new Map<string, Rule[]>()
  const add = (ids: readonly string[], rule: Rule) => {
    for (const id of ids) found.set(id, [...(found.get(id) ?? []), rule])
  }
  for (const [, from = '', first, last, to = '', toFirst, repeats] of file.matchAll(line)) {
    const [source, target] = [from.split('|'), to.split('|')]
    const ids = target.map((id, site) => (id === '~' ? (source[site] ?? '?') : id))
    const begin = Number(first)
    const rule = { first: begin, last: lastOf(begin, last), to: idsOf(ids), toFirst: Number(toFirst) }
    add(idsOf(source), rule)
    if (repeats === '!') add(idsOf(ids), rule)
  }
  return found
}

const line = /^- ([\d?|]+):(\d+)(?:-([\d?]+))? -> ([\d?~|]+):(\d+)(?:-[\d?]+)?(!?)\s*$/gm

const lastOf = (first: number, last: string | undefined): number => {
  if (last === '?') return Number.POSITIVE_INFINITY
  return last === undefined ? first : Number(last)
}

const idsOf = ([mal = '?', , anilist = '?']: readonly string[]): readonly string[] => [
  ...(mal === '?' ? [] : [`mal:${mal}`]),
  ...(anilist === '?' ? [] : [`anilist:${anilist}`]),
]

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface RelatedCounts {
  mal: Map<number, number>
  anilist: Map<number, number>
}

/**
 * Episode counts implied by `db/relations/anime-relations.txt`: if numbers from 13 on are another work's from 1 on, the
 * work has 12. `- MAL|Kitsu|AniList:13-24 -> MAL|Kitsu|AniList:1-12!`; `?` is unknown, `~` the same id as before.
 */
export function relatedCounts(
  text = readFileSync(join(import.meta.dir, '../relations/anime-relations.txt'), 'utf8'),
): RelatedCounts {
  const counts: RelatedCounts = { mal: new Map(), anilist: new Map() }
  for (const [, from = '', first, to = ''] of text.matchAll(rule)) {
    const count = Number(first) - 1
    if (count < 1) continue
    const [mal, , anilist] = from.split('|')
    const [toMal, , toAnilist] = to.split('|')
    note(counts.mal, mal, toMal, count)
    note(counts.anilist, anilist, toAnilist, count)
  }
  return counts
}

const rule = /^- ([\d?|]+):(\d+)(?:-[\d?]+)? -> ([\d?~|]+):1(?:-[\d?]+)?!?\s*$/gm

function note(
  counts: Map<number, number>,
  from: string | undefined,
  to: string | undefined,
  count: number,
): void {
  const id = Number(from)
  if (!id || to === '~' || to === from) return
  counts.set(id, Math.min(count, counts.get(id) ?? count))
}

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RelatedIds, Relation } from '../../src/catalogue/default/relations'

/**
 * The rules of `db/relations/anime-relations.txt` that lead from one work to the beginning of another one:
 * `- MAL|Kitsu|AniList:13-24 -> MAL|Kitsu|AniList:1-12!`; `?` is unknown, `~` the same id as before.
 */
export function readRelations(
  text = readFileSync(join(import.meta.dir, '../relations/anime-relations.txt'), 'utf8'),
): Relation[] {
  return [...text.matchAll(rule)].flatMap(([, from = '', first, to = '', last]) => {
    const relation = {
      from: idsOf(from),
      count: Number(first) - 1,
      to: idsOf(to),
      length: last === undefined ? 1 : Number(last) || undefined,
    }
    return to.includes('~') || isOne(relation.from, relation.to) ? [] : [relation]
  })
}

const rule = /^- ([\d?|]+):(\d+)(?:-[\d?]+)? -> ([\d?~|]+):1(?:-([\d?]+))?!?\s*$/gm

function idsOf(ids: string): RelatedIds {
  const [mal, , anilist] = ids.split('|').map((id) => Number(id) || undefined)
  return { mal, anilist }
}

const isOne = (one: RelatedIds, other: RelatedIds) =>
  (one.mal !== undefined && one.mal === other.mal) ||
  (one.anilist !== undefined && one.anilist === other.anilist)

import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** As Annict lists it: authoritative for id, medium and season (D58). */
export interface Fact {
  annict: number
  media: Media
  season: string | undefined
  mal: number | undefined
  syobocal: number | undefined
  title: string
}

export type Media = 'tv' | 'web' | 'movie' | 'ova' | 'other'

/** Reads `works.tsv`. @throws when a line has another shape */
export function readFacts(): Fact[] {
  const [head, ...lines] = readFileSync(join(import.meta.dir, 'works.tsv'), 'utf8')
    .trimEnd()
    .split('\n')
  if (head !== columns.join('\t')) throw new Error('works.tsv does not have the columns we know')
  return lines.map(factOf)
}

const columns = ['annict_id', 'media', 'season', 'mal_id', 'syobocal_tid', 'title']

function factOf(line: string): Fact {
  const [annict, media, season, mal, syobocal, ...title] = line.split('\t')
  if (
    !isMedia(media) ||
    title.length !== 1 ||
    !/^(\d{4}-(winter|spring|summer|autumn|all))?$/.test(season ?? '')
  )
    throw new Error(`works.tsv: ${line}`)
  return {
    annict: Number(annict),
    media,
    season: season || undefined,
    mal: Number(mal) || undefined,
    syobocal: Number(syobocal) || undefined,
    title: title.join(''),
  }
}

const isMedia = (text: string | undefined): text is Media =>
  ['tv', 'web', 'movie', 'ova', 'other'].some((media) => media === text)

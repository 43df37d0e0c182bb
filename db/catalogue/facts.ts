import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Fact, isMedia } from '../../src/catalogue/default/sources'

/** Reads `works.tsv`. @throws if a line has another shape */
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

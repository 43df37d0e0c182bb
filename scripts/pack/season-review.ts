import { readFileSync } from 'node:fs'
import { episodeCount } from '../../src/catalogue/default/episode-count'
import type { Joined } from '../../src/catalogue/default/join'
import { releasedOn } from '../../src/catalogue/default/released-on'
import { type BangumiItem, type JoinSources, siteId } from '../../src/catalogue/default/sources'
import { quartersOf, seasonOf } from '../../src/catalogue/season'

const reviewed = 'db/catalogue/reviewed-seasons.tsv'

/**
 * Works whose entry in bangumi-data began half a year or more from Annict's season, as lines of
 * `reviewed-seasons.tsv`, which lists those already reviewed: such an entry may be another work's.
 */
export function farSeasons({ facts }: Joined, { airDates }: Pick<JoinSources, 'airDates'>): string[] {
  return [...facts]
    .flatMap(([item, { annict, season, title }]) => {
      const own = ownSeason(item, airDates)
      if (season === undefined || own === undefined || quartersApart(own, season) < 2) return []
      return [[annict, season, own, siteId(item, 'bangumi') ?? '', title].join('\t')]
    })
    .toSorted((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
}

export function unreviewedSeasons(far: readonly string[]): string[] {
  const known = new Set(readFileSync(reviewed, 'utf8').split('\n'))
  return far.filter((line) => !known.has(line))
}

function ownSeason(item: BangumiItem, airDates: JoinSources['airDates']): string | undefined {
  const released = releasedOn(item, airDates.get(siteId(item, 'bangumi') ?? ''))
  return released === null ? undefined : seasonOf(item, released, episodeCount(item, undefined) ?? 0)
}

function quartersApart(own: string, told: string): number {
  const [quarter] = quartersOf(own)
  const [first, last] = quartersOf(told)
  return Math.max(0, first - quarter, quarter - last)
}

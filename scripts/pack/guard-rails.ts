import { quartersOf, seasonName } from '../../src/catalogue/season'
import { differenceOf } from './difference'
import type { Pack } from './packs'

/** Problems that prevent a pack from being published, one sentence each. `today`: `YYYY-MM-DD`. */
export function guardRails(last: Pack | undefined, next: Pack, bytes: number, today: string): string[] {
  return [
    ...(bytes > mostBytes ? [`the file has ${bytes} bytes, ${mostBytes} are allowed`] : []),
    ...(hasSeason(next, seasonName(today)) ? [] : [`no work is of ${seasonName(today)}, which has begun`]),
    ...(last === undefined ? [] : guardRailsAgainst(last, next)),
  ]
}

const mostBytes = 1_500_000

function guardRailsAgainst(last: Pack, next: Pack): string[] {
  const { retitled } = differenceOf(last, next)
  const problems: string[] = []
  if (next.works.size * 2 < last.works.size)
    problems.push(`${next.works.size} works are less than half of the ${last.works.size} before`)
  if (retitled.length > last.works.size * 0.02)
    problems.push(`${retitled.length} titles of ${last.works.size} change, which is more than 2 %`)
  const [before, after] = [lastSeason(last), lastSeason(next)]
  if (quartersOf(after)[0] < quartersOf(before)[0])
    problems.push(`the pack ends with ${after}, the last one with ${before}`)
  return problems
}

const hasSeason = ({ works }: Pack, season: string) =>
  works.values().some(({ season_name }) => season_name === season)

/** The latest season of any work, for example `2027-spring`. */
export function lastSeason({ works }: Pack): string {
  const seasons = [...new Set([...works.values()].flatMap(({ season_name }) => season_name ?? []))]
  const quarters = seasons.filter((season) => !season.endsWith('-all'))
  return quarters.toSorted((a, b) => quartersOf(b)[0] - quartersOf(a)[0])[0] ?? ''
}

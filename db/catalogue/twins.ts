import type { Fact } from './fact'
import { type Item, siteId } from './sources'
import { day, instant } from './times'
import { titleText } from './title-key'

/** Maps duplicates to items kept: same bangumi id, title and medium within a month, or a show's non-Japanese title. */
export function twinsOf(items: Item[], facts: Map<Item, Fact>): Map<Item, Item> {
  const twins = new Map<Item, Item>()
  const groups = Map.groupBy(
    [...items].sort((a, b) => rank(a, facts) - rank(b, facts)),
    ({ begin }) => begin.slice(0, 4),
  )
  for (const group of groups.values()) {
    for (const [at, item] of group.entries()) {
      if (facts.has(item)) continue
      const whole = group.slice(0, at).find((other) => !twins.has(other) && isTwin(item, other))
      if (whole !== undefined) twins.set(item, whole)
    }
  }
  return twins
}

const rank = (item: Item, facts: Map<Item, Fact>) => (facts.has(item) ? 0 : 2) + Number(item.lang !== 'ja')

function isTwin(item: Item, other: Item): boolean {
  const bangumi = siteId(item, 'bangumi')
  if (bangumi !== undefined && bangumi === siteId(other, 'bangumi')) return true
  const apart = Math.abs((instant(item.begin) ?? 0) - (instant(other.begin) ?? Number.POSITIVE_INFINITY))
  if (item.type !== other.type || apart > 31 * day) return false
  const tmdb = siteId(item, 'tmdb')
  const isOneShow = tmdb === siteId(other, 'tmdb')
  if (tmdb !== undefined && isOneShow && item.lang !== 'ja') return true
  return (tmdb === undefined || isOneShow) && titleText(item.title) === titleText(other.title)
}

import { quarterOf, quartersOf } from '../season'
import { bareTitle, type TitleKey, titleKey, titleText } from '../title-key'
import type { Fact, Media } from './sources'
import { type ArmRow, type BangumiItem, siteId } from './sources'

export interface Evidence {
  mal: boolean
  /** The id table lists the work's Annict id together with one of the item's ids. */
  arm: boolean
  syobocal: boolean
  /** `exact` ignores width, case and spaces; `same` also notation; `name`: an alias, ignoring numbers. */
  title: 'exact' | 'same' | 'name' | 'other'
  numbers: boolean
  /** Neither is on television, and the titles differ at most in words such as 劇場版 or OVA. */
  bare: boolean
  /** `near`: media that sources often confuse. */
  media: 'same' | 'near' | 'other'
  /** Seasons between them; null if either is unknown. */
  distance: number | null
}

export interface Candidate {
  item: BangumiItem
  row: ArmRow | undefined
  names: string[]
  released: string | null
}

export const evidenceOf = (candidate: Candidate, fact: Fact): Evidence => ({
  mal: fact.mal !== undefined && siteId(candidate.item, 'mal') === String(fact.mal),
  arm: candidate.row?.annict_id === fact.annict,
  syobocal: fact.syobocal !== undefined && candidate.row?.syobocal_tid === fact.syobocal,
  title: titleMatch(candidate, fact.title),
  numbers: haveSameNumbers(titleKey(candidate.item.title), titleKey(fact.title)),
  bare:
    candidate.item.type !== 'tv' &&
    fact.media !== 'tv' &&
    bareTitle(candidate.item.title) === bareTitle(fact.title),
  media: mediaMatch(candidate.item.type, fact.media),
  distance: distanceOf(candidate.released, fact.season),
})

/** An id alone is not enough: medium and season, or the title, must match too (D58). A title alone needs both. */
export function isSame({ mal, arm, syobocal, title, numbers, bare, media, distance }: Evidence): boolean {
  const seasons = distance ?? 0
  if (bare && distance !== null && distance <= 1) return true
  const hasId = mal || arm
  if (title === 'name' && media !== 'other' && distance === 0) return true
  if (title === 'name' && mal && arm && numbers) return media !== 'other' && seasons <= 8
  if (title === 'name') return false
  if (title === 'other') return hasId && media !== 'other' && seasons <= 1
  if (media === 'same')
    return seasons <= 1 || (hasId && seasons <= 4) || (title === 'exact' && (hasId || seasons <= 4))
  if (media === 'near') return distance === 0 || ((hasId || syobocal) && seasons <= 8)
  return hasId && seasons <= 1
}

export function weightOf({ mal, arm, syobocal, title, media, distance }: Evidence): number {
  const near = distance === null ? 1 : Math.max(0, 4 - distance)
  const ids = 5 * Number(mal) + 2 * Number(arm) + Number(syobocal)
  return titleWeights[title] + ids + 2 * near + (media === 'same' ? 4 : 0)
}

const titleWeights = { exact: 11, same: 8, name: -10, other: 0 }

function titleMatch({ item, names }: Candidate, title: string): Evidence['title'] {
  if (plain(item.title) === plain(title)) return 'exact'
  if (titleText(item.title) === titleText(title)) return 'same'
  const [own, other] = [titleKey(item.title), titleKey(title)]
  const isNamed = [item.title, ...names].some((name) => titleKey(name).base === other.base)
  return isNamed && !differ(own.season, other.season) && !differ(own.part, other.part) ? 'name' : 'other'
}

const haveSameNumbers = (one: TitleKey, other: TitleKey) =>
  one.season === other.season && one.part === other.part

// One of the titles may omit its number.
const differ = (one: number, other: number) => one > 1 && other > 1 && one !== other

const plain = (title: string) =>
  title.normalize('NFKC').toLowerCase().replace(/\s/gu, '').replaceAll('〜', '~')

function mediaMatch(one: Media, other: Media): Evidence['media'] {
  if (one === other) return 'same'
  return nearMedia.some((pair) => pair.includes(one) && pair.includes(other)) ? 'near' : 'other'
}

// Series run on television and the web, short films in cinemas and on disc.
const nearMedia: readonly Media[][] = [
  ['tv', 'web'],
  ['ova', 'movie'],
  ['ova', 'web'],
  ['ova', 'tv'],
  ['other', 'web'],
  ['other', 'ova'],
]

function distanceOf(released: string | null, season: string | undefined): number | null {
  if (released === null || season === undefined) return null
  const [first, last] = quartersOf(season)
  // A work that begins in the last week of a quarter is often assigned to the next one.
  const quarters = [quarterOf(released, 0), quarterOf(released, 7)]
  return Math.min(...quarters.map((quarter) => Math.max(0, first - quarter, quarter - last)))
}

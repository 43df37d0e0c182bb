import type { Random } from '../random'

/** A made-up user: what the user does is drawn from these. Times are epoch milliseconds. */
export interface Member {
  readonly joined: number
  /** When the user lost interest; the end of the community's time for those who did not. */
  readonly left: number
  /** How many records the user writes. */
  readonly records: number
  readonly language: 'ja' | 'en'
  /** The share of records with a comment and with a rating, and how kind the ratings are. */
  readonly comments: number
  readonly ratings: number
  readonly mood: number
  /** The share of sittings recorded in one action. */
  readonly together: number
  /** The share of works watched to the end that the user reviews. */
  readonly reviews: number
  /** Whether the user's client still sends the deprecated number. */
  readonly numeric: boolean
  /** What draws others to follow the user. */
  readonly fame: number
}

/** The community's users, those who joined first in front; their records add up to what is asked. */
export function createMembers(
  { users, records, from, until }: { users: number; records: number; from: number; until: number },
  random: Random,
): Member[] {
  const times = Array.from({ length: users }, () => timesOf(from, until, random))
  times.sort((one, other) => one.joined - other.joined)
  const weights = times.map(({ joined, left }) => {
    const years = (left - joined) / (365 * day)
    const lurks = random.chance(0.12)
    return lurks ? 0 : Math.exp(1.2 * random.normal()) * (years + 0.05) ** 0.8
  })
  const shares = dealt(records, weights)
  return times.map((time, place) => characterOf(time, shares[place] ?? 0, random))
}

/** The community grows: more join in later years. A third leave again, most of them soon. */
function timesOf(from: number, until: number, random: Random) {
  const joined = Math.floor(from + (until - day - from) * random.fraction() ** 0.6)
  const stays = random.chance(0.65)
  const left = stays ? until : Math.min(until, Math.floor(joined + day + random.exponential(200 * day)))
  return { joined, left }
}

/** Whole numbers in the proportion of the weights that add up to exactly the sum. */
function dealt(sum: number, weights: readonly number[]): number[] {
  const all = weights.reduce((total, weight) => total + weight, 0)
  // With so few users that all of them only read, everybody writes.
  if (all === 0 && weights.length > 0)
    return dealt(
      sum,
      weights.map(() => 1),
    )
  let given = 0
  let due = 0
  return weights.map((weight, place) => {
    due += weight
    const upTo = place === weights.length - 1 ? sum : Math.round((sum * due) / all)
    const share = upTo - given
    given = upTo
    return share
  })
}

function characterOf(times: { joined: number; left: number }, records: number, random: Random): Member {
  return {
    ...times,
    records,
    language: random.chance(0.75) ? 'ja' : 'en',
    comments: random.pick(talkativeness),
    ratings: random.chance(0.7) ? 0.85 : 0.05,
    mood: random.normal() * 0.4,
    together: random.chance(0.5) ? 0.6 : 0,
    reviews: random.chance(0.2) ? 0.25 : 0.01,
    numeric: random.chance(0.05),
    fame: Math.exp(1.5 * random.normal()) * (1 + Math.sqrt(records) / 5),
  }
}

// Most write a comment now and then; a few nearly always do, and a few never.
const talkativeness = [0, 0.02, 0.02, 0.1, 0.2, 0.2, 0.3, 0.8] as const

const day = 24 * 60 * 60 * 1000

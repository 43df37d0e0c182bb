import type { RatingState } from '../../library/ratings'
import type { Random } from '../random'
import type { Member } from './members'
import { english } from './phrases-en'
import { japanese } from './phrases-ja'

/** What a member writes about something the member thinks this of: mostly a sentence or two, seldom a long text. */
export function commentOf({ language }: Member, opinion: RatingState, random: Random): string {
  const long = random.chance(0.01) ? 6 + random.below(20) : 0
  return sentences(language, opinion, 1 + Math.min(3, Math.floor(random.exponential(0.8))) + long, random)
}

/** A review: a few paragraphs, some of them of another opinion. */
export function bodyOf({ language }: Member, opinion: RatingState, random: Random): string {
  return Array.from({ length: 1 + random.below(4) }, () => {
    const mixed = random.chance(0.3) ? random.pick(milder) : opinion
    return sentences(language, mixed, 2 + random.below(5), random)
  }).join('\n\n')
}

/** What a member thinks of an episode or a work; `quality` is what everybody agrees on, around 0. */
export function opinionOf({ mood }: Member, quality: number, random: Random): RatingState {
  const liking = mood + quality + random.normal() * 0.8
  if (liking < -1.6) return 'bad'
  if (liking < -0.8) return 'average'
  return liking < 0.6 ? 'good' : 'great'
}

/** The deprecated number that stands for a rating state. */
export const numberOf = (state: RatingState, random: Random): number => {
  const [low, high] = numbers[state]
  return Math.round(random.between(low, high) * 10) / 10
}

function sentences(language: 'ja' | 'en', opinion: RatingState, count: number, random: Random): string {
  const { phrases, gap } = languages[language]
  const said: string[] = []
  for (let left = count; left > 0; left -= 1) {
    const sentence = random.pick(phrases[opinion])
    if (said.at(-1) !== sentence) said.push(sentence)
  }
  return said.join(random.chance(0.1) ? '\n' : gap)
}

const languages = { ja: { phrases: japanese, gap: '' }, en: { phrases: english, gap: ' ' } } as const

const milder = ['good', 'average'] as const

// Within what the state stands for (D33).
const numbers = { bad: [1, 2.9], average: [3, 3.4], good: [3.5, 4.4], great: [4.5, 5] } as const

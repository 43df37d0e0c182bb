import { newOpinion, type RatingState } from '../library/ratings'
import type { DemoMember } from './members'
import type { SeededRandom } from './random'
import { phrases } from './words'

/** Episodes recorded together share one rating and have no comment (D52). */
export function recordContent(member: DemoMember, isAlone: boolean, random: SeededRandom) {
  const opinion = random.pick(opinions)
  const state = random.chance(0.7) ? opinion : undefined
  // Some clients still send the deprecated number.
  const number = isAlone && random.chance(0.05) ? numbers[opinion] : undefined
  const isCommented = isAlone && random.chance(member.comments)
  return {
    comment: isCommented ? sentences(member, opinion, 1 + random.below(3), random) : '',
    ...newOpinion({ rating: number, rating_state: number === undefined ? state : undefined }),
    is_modified: Number(random.chance(0.02)),
  }
}

export function reviewContent(member: DemoMember, random: SeededRandom) {
  const opinion = random.pick(opinions)
  const paragraphs = Array.from({ length: 1 + random.below(4) }, () =>
    sentences(member, opinion, 2 + random.below(4), random),
  )
  const rated = () => (random.chance(0.8) ? random.pick(opinions) : null)
  return {
    body: paragraphs.join('\n\n'),
    rating_animation_state: rated(),
    rating_music_state: rated(),
    rating_story_state: rated(),
    rating_character_state: rated(),
    rating_overall_state: opinion,
  }
}

export const commentContent = (member: DemoMember, random: SeededRandom): string =>
  sentences(member, random.pick(opinions), 1, random)

function sentences(
  { language }: DemoMember,
  opinion: RatingState,
  count: number,
  random: SeededRandom,
): string {
  const said = new Set(Array.from({ length: count }, () => random.pick(phrases[language][opinion])))
  return [...said].join(language === 'ja' ? '' : ' ')
}

const opinions = [
  ...(['bad', 'average', 'good', 'good', 'good', 'good', 'good', 'great', 'great', 'great'] as const),
] as const
// The number that corresponds to each state (D33).
const numbers: Readonly<Record<RatingState, number>> = { bad: 2, average: 3.2, good: 4, great: 5 }

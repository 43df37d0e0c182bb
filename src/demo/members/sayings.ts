import { ratingsOf } from '../../library/record-edit'
import type { Random } from '../random'
import type { Member } from './members'
import { bodyOf, commentOf, numberOf, opinionOf } from './words'

/** The columns of what a member says of an episode, and of a work. */
export const recordSaying = ['comment', 'rating', 'rating_state', 'is_modified', 'share_twitter'] as const
export const reviewSaying = [
  ...(['body', 'rating_animation_state', 'rating_music_state', 'rating_story_state'] as const),
  ...(['rating_character_state', 'rating_overall_state', 'modified_at', 'share_twitter'] as const),
] as const

type Values<Name extends string> = Readonly<Record<Name, string | number | null>>

/** What a member says of an episode, or of several recorded together: one rating for all, and no comment (D52). */
export function recordSaid(
  member: Member,
  { count, quality }: { count: number; quality: number },
  random: Random,
): Values<(typeof recordSaying)[number]> {
  const opinion = opinionOf(member, quality, random)
  const state = random.chance(member.ratings) ? opinion : undefined
  if (count > 1) return { comment: '', ...ratingsOf(undefined, state), is_modified: 0, share_twitter: 0 }
  const number = member.numeric && state !== undefined ? numberOf(state, random) : undefined
  return {
    comment: random.chance(member.comments) ? commentOf(member, opinion, random) : '',
    ...ratingsOf(number, number === undefined ? state : undefined),
    is_modified: Number(random.chance(0.02)),
    share_twitter: Number(random.chance(0.05)),
  }
}

/** What a member says of a work at a time, and may change until another (both in epoch milliseconds). */
export function reviewSaid(
  member: Member,
  { time, until, quality }: { time: number; until: number; quality: number },
  random: Random,
): Values<(typeof reviewSaying)[number]> {
  const opinion = opinionOf(member, quality, random)
  const rated = () => (random.chance(0.8) ? opinionOf(member, quality, random) : null)
  const modified = Math.floor(time + random.exponential(day))
  return {
    body: bodyOf(member, opinion, random),
    rating_animation_state: rated(),
    rating_music_state: rated(),
    rating_story_state: rated(),
    rating_character_state: rated(),
    rating_overall_state: random.chance(0.9) ? opinion : null,
    modified_at: random.chance(0.1) && modified < until ? modified : null,
    share_twitter: Number(random.chance(0.05)),
  }
}

const day = 24 * 60 * 60 * 1000

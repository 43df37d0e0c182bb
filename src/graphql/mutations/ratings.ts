import type { Input } from '../declare/mutation'
import { stateIn } from './command'

const parts = ['Animation', 'Character', 'Music', 'Overall', 'Story'] as const

/** The inputs for the five ratings, all of one type. */
export const ratingInputs = (type: string): Readonly<Record<string, string>> =>
  Object.fromEntries(parts.map((part) => [`rating${part}State`, type]))

export const ratingsIn = (input: Input): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    parts.map((part) => [`rating_${part.toLowerCase()}_state`, stateIn(input, `rating${part}State`)]),
  )

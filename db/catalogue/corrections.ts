import Type, { type Static } from 'typebox'
import { readJsonLines } from './json-lines'

const Correction = Type.Object(
  {
    bangumi: Type.Optional(Type.Integer()),
    title: Type.Optional(Type.String()),
    annict: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    mal: Type.Optional(Type.Integer()),
    anilist: Type.Optional(Type.Integer()),
    anidb: Type.Optional(Type.Integer()),
    episodes: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    main: Type.Optional(Type.Integer()),
    reason: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
)

/**
 * Errors in the packages, with evidence. Both ids: the item (by its `title` if it has no id) is that work; `annict` null: Annict does not list
 * it. `episodes` null: nobody knows. `main`: how many of its episodes are not specials.
 */
export type Correction = Static<typeof Correction>

/** @throws if a line of `corrections.jsonl` has another shape */
export const readCorrections = (): Correction[] => readJsonLines('corrections.jsonl', Correction)

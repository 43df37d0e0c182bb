import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const Correction = Type.Object(
  {
    bangumi: Type.Optional(Type.Integer()),
    annict: Type.Optional(Type.Union([Type.Integer(), Type.Null()])),
    mal: Type.Optional(Type.Integer()),
    anilist: Type.Optional(Type.Integer()),
    anidb: Type.Optional(Type.Integer()),
    episodes: Type.Optional(Type.Integer()),
    reason: Type.String({ minLength: 1 }),
  },
  { additionalProperties: false },
)

/**
 * What the packages get wrong about one work, and how that is known. The work is named by `bangumi`, by `annict`, or by
 * both: then the item with the one is the work with the other, null meaning none that Annict lists.
 */
export type Correction = Static<typeof Correction>

/** Reads `corrections.jsonl`. @throws when a line does not have the shape above */
export function readCorrections(): Correction[] {
  const check = Compile(Correction)
  const lines = readFileSync(join(import.meta.dir, 'corrections.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const correction: unknown = JSON.parse(line)
    if (!check.Check(correction)) throw new Error(`corrections.jsonl: ${line}`)
    return correction
  })
}

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

/** Errors of the packages, with evidence. With both ids: the item is that work; null: Annict does not list it. */
export type Correction = Static<typeof Correction>

/** @throws when a line of `corrections.jsonl` has another shape */
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

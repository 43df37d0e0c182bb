import Type, { type Static } from 'typebox'
import { Correction } from '../../src/catalogue/default/sources'
import { readJsonLines } from './json-lines'

/** A line of a file of corrections (`docs/catalogue-format.md`), as an instance writes them. */
const CorrectedLine = Type.Object({
  type: Type.String(),
  key: Type.String(),
  ids: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  was: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
})

export type CorrectedLine = Static<typeof CorrectedLine> & Readonly<Record<string, unknown>>

const lines = () => readJsonLines('corrections.jsonl', Type.Union([Correction, CorrectedLine]))

/** Errors in the packages. @throws if a line of `corrections.jsonl` has another shape */
export const readCorrections = (): Correction[] => lines().flatMap((line) => ('type' in line ? [] : [line]))

/** What instances corrected in the catalogue itself. Throws like `readCorrections`. */
export const readCorrectedLines = (): CorrectedLine[] =>
  lines().flatMap((line) => ('type' in line ? [line] : []))

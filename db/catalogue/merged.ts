import Type, { type Static } from 'typebox'
import { readJsonLines } from './json-lines'

const Merged = Type.Object(
  { type: Type.Literal('work'), key: Type.String(), merged_into: Type.String() },
  { additionalProperties: false },
)

export type MergedLine = Static<typeof Merged>

/** @throws if a line has another shape, merges a key that is in the pack, or merges into one that is not */
export const mergedLines = (keys: ReadonlySet<string>): MergedLine[] =>
  readJsonLines('merged.jsonl', Merged, ({ key, merged_into }) => !keys.has(key) && keys.has(merged_into))

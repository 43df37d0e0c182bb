import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Type, { type Static } from 'typebox'
import { Compile } from 'typebox/compile'

const Merged = Type.Object(
  { type: Type.Literal('work'), key: Type.String(), merged_into: Type.String() },
  { additionalProperties: false },
)

export type MergedLine = Static<typeof Merged>

/** @throws when a line has another shape or its key is not in the pack */
export function mergedLines(keys: ReadonlySet<string>): MergedLine[] {
  const check = Compile(Merged)
  const lines = readFileSync(join(import.meta.dir, 'merged.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
  return lines.map((line) => {
    const merged: unknown = JSON.parse(line)
    if (!check.Check(merged) || keys.has(merged.key) || !keys.has(merged.merged_into))
      throw new Error(`merged.jsonl: ${line}`)
    return merged
  })
}

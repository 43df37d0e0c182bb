import Type, { type Static } from 'typebox'
import { Failure } from '../lib/failure'
import { checkOf } from '../values/value'

const manifest = Type.Object({
  format: Type.Literal(1),
  kiroku_version: Type.String(),
  migration: Type.String(),
  /** ISO 8601. The backup contains every write acknowledged before this time. */
  began_at: Type.String(),
  counts: Type.Record(Type.String(), Type.Number()),
})

const isManifest = checkOf(manifest)

/** The first file of a backup. The last one, `SHA256SUMS`, has a line for each of the others. */
export type Manifest = Static<typeof manifest>

/** Throws a `data` failure. */
export function parseManifest(text: string): Manifest {
  const read = parsed(text)
  if (isManifest(read)) return read
  const format = typeof read === 'object' && read !== null && 'format' in read ? read.format : undefined
  throw new Failure(
    'data',
    typeof format === 'number' && format > 1
      ? 'it was made by a newer kiroku: use that one, or a newer one'
      : 'its manifest.json is not that of a backup',
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

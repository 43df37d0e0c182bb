import Type, { type Static } from 'typebox'
import { jsonReader } from '../../json-answer'
import { type AnswerBody, ShapeError } from '../../source'

/** The newest format of manifests that can be read. */
export const packFormat = 1

/** Size of a pack as published, in bytes. */
export const maxPackBytes = 16 * 2 ** 20

/** Numbers separated by dots, such as `2026.11.20`. */
const versionPattern = '^[0-9]{1,9}(\\.[0-9]{1,9}){0,3}$'

const Manifest = Type.Object(
  {
    format: Type.Literal(packFormat),
    version: Type.String({ pattern: versionPattern }),
    date: Type.String({ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }),
    // A name in the manifest's folder: cannot lead to another folder or host.
    file: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,99}\\.jsonl(\\.zst)?$' }),
    size: Type.Integer({ minimum: 1, maximum: maxPackBytes }),
    sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
    works: Type.Integer({ minimum: 0 }),
    until: Type.String({ maxLength: 20 }),
    sources: Type.Array(Type.Record(Type.String(), Type.String()), { maxItems: 50 }),
    signature: Type.String({ pattern: '^[A-Za-z0-9+/]{86}==$' }),
  },
  // Fields added by later versions are signed too, and must be plain values for the canonical form.
  { additionalProperties: Type.Union([Type.String(), Type.Integer(), Type.Boolean(), Type.Null()]) },
)

export function isLower(version: string, than: string): boolean {
  const [own, other] = [version.split('.').map(Number), than.split('.').map(Number)]
  const at = [0, 1, 2, 3].find((place) => (own[place] ?? 0) !== (other[place] ?? 0)) ?? 0
  return (own[at] ?? 0) < (other[at] ?? 0)
}

/** `catalogue.json`, which describes the pack. */
export type PackManifest = Static<typeof Manifest>

/** Throws a `ShapeError` for a newer format or anything but a manifest. Does not check the signature. */
export async function readManifest(body: AnswerBody): Promise<PackManifest> {
  const { format } = await readFormat(body)
  if (format > packFormat)
    throw new ShapeError('catalogue.json', `has format ${format}: this version of kiroku reads ${packFormat}`)
  return await readWhole(body)
}

const readFormat = jsonReader('catalogue.json', Type.Object({ format: Type.Number() }))
const readWhole = jsonReader('catalogue.json', Manifest)

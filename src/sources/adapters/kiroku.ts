import { isObject } from '../../catalogue/import/file/json'
import { hasOwnPriority } from '../../catalogue/import/source'
import { splitLocation } from '../location'
import { type Digest, digestOf } from '../packed/digest'
import { jsonLines } from '../packed/json-lines'
import {
  type AnswerBody,
  type Asking,
  type CatalogueLine,
  defineSource,
  type RunScope,
  ShapeError,
  type SourceSettings,
  type SourceState,
} from '../source'
import { isLower, maxPackBytes, type PackManifest, readManifest } from './kiroku/manifest'
import { isPublicKey, isSignedBy } from './kiroku/signature'

/** A signed pack: `catalogue.json` and the file that it names, in the same folder. See docs/catalogue-packs.md. */
export const kirokuPack = (keys: readonly string[]) =>
  defineSource<PackAnswer>({
    name: 'kiroku',
    title: 'kiroku',
    licence: 'CC BY 4.0; MIT; as each pack says',
    home: '/about/data',
    hosts: [],
    intervalMs: 7 * 86_400_000,
    pace: { perSecond: 1, perHour: 10 },
    maxBytes: maxPackBytes,
    settings: ['location'],
    matchTitles: false,
    requests,
    read: (as, body, settings) =>
      as === 'manifest' ? readSigned(body, [...keys, ...keyIn(settings)]) : readPack(body),
    lines: (answers) => packLines(answers.flatMap((answer) => ('pack' in answer ? [answer.pack] : []))),
  })

/** The lines of packs unchanged, header first. Throws a `ShapeError` for anything but a catalogue. */
async function* packLines(packs: readonly AnswerBody[]): AsyncGenerator<CatalogueLine> {
  for (const pack of packs) {
    let isFirst = true
    for await (const line of jsonLines('the pack', pack.stream(), maxUnpacked)) {
      if (!isLine(line)) throw new ShapeError('the pack', 'has a line without a type')
      if (isFirst) refuseHeader(line)
      isFirst = false
      yield line
    }
  }
}

const maxUnpacked = 128 * 2 ** 20

const isLine = (value: unknown): value is CatalogueLine => isObject(value) && typeof value.type === 'string'

/** A pack must not pose as another source: its values would get that source's priority. */
function refuseHeader({ type, name }: CatalogueLine): void {
  if (type !== 'catalogue' || typeof name !== 'string')
    throw new ShapeError('the pack', 'does not begin with the line of a catalogue')
  if (hasOwnPriority(name) && name !== 'bangumi-data')
    throw new ShapeError('the pack', `has the name ${name}, which is that of another source`)
}

/** Ed25519 public keys of the project's own packs, raw, in Base64: the current one and the spare one. */
const projectKeys = [
  'j8kwgW0wZu+kfD98D+a6g4k9hrF8eWmmjJqOaRbJhKA=',
  'NjhtzUx5E5FRXssi9IGaxyw6pUExV9fLBWD5bcBuVk0=',
] as const

export const kiroku = kirokuPack(projectKeys)

type PackAnswer = { readonly manifest: PackManifest } | { readonly pack: AnswerBody; readonly found: Digest }

function* requests(
  scope: RunScope,
  state: SourceState,
  _known: unknown,
  { location = '' }: SourceSettings,
): Asking<PackAnswer, SourceState> {
  const { place } = splitLocation(location)
  const first = yield {
    url: beside(place, 'catalogue.json'),
    as: 'manifest',
    accept: jsonTypes,
    isUnconditional: true,
  }
  if (!('manifest' in first)) return state
  const { manifest } = first
  const taken = state.place === place ? String(state.version) : '0'
  if (isLower(manifest.version, taken))
    throw new ShapeError(
      'catalogue.json',
      `has version ${manifest.version}, lower than ${taken}, the last one taken`,
    )
  if (manifest.version === taken && state.isTaken === true && !scope.isFull) return state
  const second = yield {
    url: beside(place, manifest.file),
    as: 'pack',
    accept: packTypes,
    isUnconditional: true,
  }
  if ('pack' in second) refuseOther(manifest, second.found)
  return { place, version: manifest.version, isTaken: true }
}

function refuseOther({ file, size, sha256 }: PackManifest, found: Digest): void {
  if (found.size !== size)
    throw new ShapeError(file, `has ${found.size} bytes, not ${size} as catalogue.json says`)
  if (found.sha256 !== sha256) throw new ShapeError(file, 'has another SHA-256 than catalogue.json says')
}

async function readSigned(body: AnswerBody, keys: readonly string[]): Promise<PackAnswer> {
  const manifest = await readManifest(body)
  if (await isSignedBy(keys, manifest)) return { manifest }
  throw new ShapeError('catalogue.json', 'is not signed by a key that is known here')
}

async function readPack(pack: AnswerBody): Promise<PackAnswer> {
  return { pack, found: await digestOf(pack) }
}

/** The key that the administrator added to the location as `#ed25519=…`. */
function keyIn({ location = '' }: SourceSettings): readonly string[] {
  const { fragment } = splitLocation(location)
  if (fragment === undefined) return []
  const key = /^ed25519=(.*)$/.exec(fragment)?.[1] ?? ''
  if (isPublicKey(key)) return [key]
  throw new ShapeError(
    'location',
    'may end in #ed25519= and a public key of 32 bytes in Base64, and nothing else',
  )
}

/** `place` is a folder, even if its URL does not end in a slash, or the manifest itself. */
function beside(place: string, name: string): string {
  if (!/^https?:/.test(place)) return name
  const folder = place.endsWith('/catalogue.json') || place.endsWith('/') ? place : `${place}/`
  return new URL(name, folder).href
}

const jsonTypes = ['application/json', 'text/plain', 'application/octet-stream']
const packTypes = ['application/zstd', 'application/octet-stream', 'application/jsonl', 'text/plain']

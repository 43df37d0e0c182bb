import type { Bytes } from '../../http/bytes'
import { oneAtATime } from '../../lib/one-at-a-time'

export type PictureKind = 'cover' | 'avatar'

export interface Shape {
  /** In pixels, ascending. */
  readonly widths: readonly number[]
  /** Ratio of width to height. */
  readonly ratio: number
}

export const shapes: Readonly<Record<PictureKind, Shape>> = {
  cover: { widths: [160, 320, 640], ratio: 2 / 3 },
  avatar: { widths: [96, 192], ratio: 1 },
}

export interface Encoded {
  /** Hash of the largest file, 32 hexadecimal digits. */
  readonly hash: string
  readonly width: number
  readonly height: number
  readonly placeholder: string
  readonly files: readonly { readonly width: number; readonly bytes: Uint8Array }[]
}

export type PictureProblem = 'not a picture' | 'too many pixels' | 'damaged' | 'too small'

export class PictureRefused extends Error {
  constructor(readonly problem: PictureProblem) {
    super(problem)
  }
}

export class PicturesBusy extends Error {}

/**
 * A picture of 20 million pixels takes 80 MB to decode (promise 12). Module state, not a dependency, since
 * the limit protects the memory of the whole process.
 */
const decodeInTurn = oneAtATime(8, () => new PicturesBusy('too many pictures are being read'))

/** Decoded pixels take 4 bytes each; only one picture is decoded at a time. */
const maxPixels = 20_000_000

/** Produces WebP without metadata, of an animation only the first frame. Throws `PictureRefused` or `PicturesBusy`. */
export const encode = (bytes: Bytes, kind: PictureKind): Promise<Encoded> =>
  decodeInTurn(() => encodeShape(bytes, shapes[kind]).catch(refuse))

async function encodeShape(bytes: Bytes, { widths, ratio }: Shape): Promise<Encoded> {
  const { format } = await new Bun.Image(bytes, { maxPixels }).metadata()
  if (!formats.has(format)) throw new PictureRefused('not a picture')
  if (format === 'jpeg' && isCutOff(bytes)) throw new PictureRefused('damaged')
  const reduced = await new Bun.Image(bytes, { maxPixels })
    .resize(intermediate, intermediate, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .bytes()
  const { cropPng } = await import('./crop')
  const cropped = cropPng(reduced, ratio)
  const { width } = await new Bun.Image(cropped).metadata()
  if (width < smallest) throw new PictureRefused('too small')
  const files = await Promise.all(widths.map((one) => fileOf(cropped, one, Math.round(one / ratio))))
  const largest = files.at(-1) ?? { width: 0, bytes: new Uint8Array() }
  return {
    hash: new Bun.CryptoHasher('sha256').update(largest.bytes).digest('hex').slice(0, 32),
    width: largest.width,
    height: Math.round(largest.width / ratio),
    placeholder: await new Bun.Image(cropped).placeholder(),
    files,
  }
}

const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif'])

/** Pixels on the longer side: enough for the largest file of an upright picture, and at most 10 MB. */
const intermediate = 1600

/** In pixels: below this width nothing is recognizable. */
const smallest = 64

const fileOf = async (png: Bytes, width: number, height: number) => ({
  width,
  bytes: await new Bun.Image(png).resize(width, height).webp({ quality: 82 }).bytes(),
})

/** Bun fills in missing parts of a JPEG with grey: its end mark must follow its last scan (ITU-T T.81 §B.1). */
function isCutOff(bytes: Bytes): boolean {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return file.lastIndexOf(endMark) < file.lastIndexOf(scanMark)
}

const [endMark, scanMark] = [Buffer.from([0xff, 0xd9]), Buffer.from([0xff, 0xda])]

function refuse(cause: unknown): never {
  if (cause instanceof PictureRefused) throw cause
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (code === 'ERR_IMAGE_TOO_MANY_PIXELS') throw new PictureRefused('too many pixels')
  const isUnknown = code === 'ERR_IMAGE_UNKNOWN_FORMAT' || code === 'ERR_IMAGE_FORMAT_UNSUPPORTED'
  if (isUnknown) throw new PictureRefused('not a picture')
  if (code.startsWith('ERR_IMAGE_')) throw new PictureRefused('damaged')
  throw cause
}

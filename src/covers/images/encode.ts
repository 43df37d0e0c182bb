import type { Bytes } from '../../http/bytes'
import { collectGarbage } from '../../lib/collect-garbage'
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
  readonly files: readonly PictureFile[]
}

export interface PictureFile {
  readonly width: number
  readonly bytes: Uint8Array
  /** WebP by default. */
  readonly format?: 'png'
}

export type PictureProblem =
  | 'not a picture'
  | 'too many pixels'
  | 'damaged'
  | 'too small'
  | 'too detailed'
  | 'other size'

export class PictureRefused extends Error {
  constructor(readonly problem: PictureProblem) {
    super(problem)
  }
}

export class PicturesBusy extends Error {}

/** Module state, not a dependency, since the limit protects the memory of the whole process (promise 12). */
const decodeInTurn = oneAtATime(8, () => new PicturesBusy('too many pictures are being read'))

/** In bytes: 20 million pixels of most JPEGs, 10 million of other formats. Only one picture is decoded at a time. */
const mostDecoding = 60_000_000
const maxPixels = 20_000_000

/** In bytes. Other pictures than coloured noise are below 500 KB in the largest width. */
export const largestFile = 512 * 1024

/**
 * Produces WebP without metadata, of an animated GIF or PNG only the first frame. Throws `PictureRefused` or
 * `PicturesBusy`.
 */
export const encode = (bytes: Bytes, kind: PictureKind): Promise<Encoded> =>
  decodeInTurn(async () => {
    try {
      return await encodeShape(bytes, shapes[kind]).catch(refuse)
    } finally {
      // Otherwise the pixels of one picture would still be there while the next is decoded.
      collectGarbage()
    }
  })

/** In pixels, as networks want it. */
export const sharePicture = { width: 1200, height: 630 } as const

/** In bytes. What a page draws takes up a tenth of it. */
const largestSharePicture = 2 * 1024 * 1024

/**
 * Writes a PNG of exactly 1200 × 630 pixels and at most 2 MiB anew (D91), without metadata. Throws `PictureRefused` or
 * `PicturesBusy`.
 */
export const encodeSharePicture = (sent: Bytes): Promise<Pick<Encoded, 'hash' | 'files'>> =>
  decodeInTurn(async () => {
    try {
      return await rewrite(sent).catch(refuse)
    } finally {
      collectGarbage()
    }
  })

async function rewrite(sent: Bytes) {
  if (sent.length > largestSharePicture) throw new PictureRefused('too detailed')
  const { withoutExtras } = await import('./png')
  const image = withoutExtras(sent)
  const { format, width, height } = await new Bun.Image(image, { maxPixels }).metadata()
  if (format !== 'png') throw new PictureRefused('not a picture')
  if (width !== sharePicture.width || height !== sharePicture.height) throw new PictureRefused('other size')
  const bytes = await new Bun.Image(image, { maxPixels: width * height }).png().bytes()
  if (bytes.length > largestSharePicture) throw new PictureRefused('too detailed')
  return { hash: hashOf(bytes), files: [{ width, bytes, format: 'png' as const }] }
}

const hashOf = (bytes: Uint8Array) => new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)

async function encodeShape(sent: Bytes, { widths, ratio }: Shape): Promise<Encoded> {
  const { cropPng, withoutExtras } = await import('./png')
  const cropped = cropPng(await reduced(withoutExtras(sent), { widths, ratio }), ratio)
  const { width } = await new Bun.Image(cropped).metadata()
  if (width < smallest) throw new PictureRefused('too small')
  const files = await Promise.all(widths.map((one) => fileOf(cropped, one, Math.round(one / ratio))))
  if (files.some(({ bytes }) => bytes.length > largestFile)) throw new PictureRefused('too detailed')
  const largest = files.at(-1) ?? { width: 0, bytes: new Uint8Array() }
  return {
    hash: hashOf(largest.bytes),
    width: largest.width,
    height: Math.round(largest.width / ratio),
    placeholder: await new Bun.Image(cropped).placeholder(),
    files,
  }
}

/** A PNG of no more pixels than the largest file needs, whichever side is up, and of at most 10 MB. */
async function reduced(bytes: Bytes, { widths, ratio }: Shape): Promise<Uint8Array> {
  const { format, width, height } = await new Bun.Image(bytes, { maxPixels }).metadata()
  if (!formats.has(format)) throw new PictureRefused('not a picture')
  if (format === 'jpeg' && isCutOff(bytes)) throw new PictureRefused('damaged')
  if (decodingCost(bytes, format, width * height) > mostDecoding) throw new PictureRefused('too many pixels')
  const [shorter, longer] = [Math.min(width, height), Math.max(width, height)]
  const side = Math.min(longestSide, Math.ceil(((widths.at(-1) ?? 0) / ratio) * (longer / shorter)))
  return await new Bun.Image(bytes, { maxPixels })
    .resize(side, side, { fit: 'inside', withoutEnlargement: true })
    .png({ compressionLevel: 0 })
    .bytes()
}

const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif'])

/** In pixels: enough for the largest file of an upright picture. */
const longestSide = 1600

/** In pixels: below this width nothing is recognizable. */
const smallest = 64

const fileOf = async (png: Bytes, width: number, height: number) => ({
  width,
  bytes: await new Bun.Image(png).resize(width, height).webp({ quality: 82 }).bytes(),
})

/**
 * Bytes of memory that reading a picture takes at most, its work on the pixels included. Measured with Bun 1.4.5 at 20
 * million pixels: 2.4 bytes per pixel of a JPEG that is reduced while it is read, 6.6 of a PNG or WebP. A JPEG in
 * several scans is kept as coefficients of 2 bytes first.
 */
function decodingCost(bytes: Bytes, format: string, pixels: number): number {
  if (format !== 'jpeg') return 6 * pixels
  const samples = samplesInScans(bytes)
  return samples === undefined ? 3 * pixels : 2 * samples * pixels
}

/** Samples per pixel of a JPEG in several scans (ITU-T T.81 §B.2.2, §B.2.3); undefined if one scan has them all. */
function samplesInScans(bytes: Bytes): number | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let frame: { readonly isProgressive: boolean; readonly components: Buffer } | undefined
  for (let at = 2; at + 4 < file.length; ) {
    const marker = file.readUInt16BE(at)
    if (marker < 0xff01 || marker === 0xffff) {
      at += 1
      continue
    }
    const isFrame = marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker)
    if (isFrame) {
      const isProgressive = (marker & 3) === 2
      frame = { isProgressive, components: file.subarray(at + 10, at + 10 + 3 * (file[at + 9] ?? 0)) }
    }
    if (marker === 0xffda && frame !== undefined) {
      const isWhole = !frame.isProgressive && 3 * (file[at + 4] ?? 0) >= frame.components.length
      return isWhole ? undefined : samplesOf(frame.components)
    }
    at += 2 + file.readUInt16BE(at + 2)
  }
  return undefined
}

/** Three bytes per component, the second of which holds its horizontal and vertical sampling factors. */
function samplesOf(components: Buffer): number {
  const factors = [...components].filter((_, index) => index % 3 === 1)
  const across = factors.map((factor) => factor >> 4)
  const down = factors.map((factor) => factor & 15)
  const sum = across.reduce((total, factor, index) => total + factor * (down[index] ?? 0), 0)
  return sum / (Math.max(...across) * Math.max(...down))
}

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

import type { Bytes } from '../../src/http/bytes'

export const keyed = (size: number) => Buffer.concat([Buffer.from('Comment\0'), Buffer.alloc(size, 'a')])

/** Chunks of an animated PNG; the frames are not pictures, since nobody should read them. */
export function frames(count: number): [string, Buffer][] {
  const control = Buffer.alloc(8)
  control.writeUInt32BE(count)
  const each = Array.from({ length: count }, (): [string, Buffer] => ['fdAT', Buffer.alloc(1000)])
  return [['acTL', control], ...each]
}

/** The same JPEG with this many marker segments of 64 KB. */
export function withSegments(jpeg: Bytes, marker: number, count: number): Bytes {
  const parts = Array.from({ length: count }, (_, index) => {
    const segment = Buffer.alloc(65_000)
    segment.set([0xff, marker])
    segment.writeUInt16BE(segment.length - 2, 2)
    segment.write('ICC_PROFILE\0', 4)
    segment.set([index + 1, count], 16)
    return segment
  })
  return Buffer.concat([jpeg.subarray(0, 2), ...parts, jpeg.subarray(2)])
}

export const commented = (jpeg: Bytes) => withSegments(withSegments(jpeg, 0xe1, 1), 0xfe, 60)

export const jpegOf = async (bytes: Bytes) => new Uint8Array(await new Bun.Image(bytes).jpeg().bytes())

/** Every component has as many samples as the picture has pixels. */
export async function progressive(file: Bytes): Promise<Bytes> {
  const jpeg = Buffer.from(await new Bun.Image(file).jpeg({ progressive: true }).bytes())
  for (const component of [0, 1, 2]) jpeg[frameIn(jpeg) + 11 + 3 * component] = 0x11
  return jpeg
}

/** Where the frame header of a JPEG is, baseline or progressive. */
const frameIn = (jpeg: Buffer) =>
  Math.max(...[0xc0, 0xc2].map((marker) => jpeg.indexOf(Buffer.from([0xff, marker, 0, 17]))))

/** A JPEG or WebP whose header alone says that it is so large: it must be refused before it is decoded. */
export function statingSize(file: Bytes, width: number, height: number): Bytes {
  const bytes = Buffer.from(file)
  if (bytes.toString('latin1', 0, 4) === 'RIFF') {
    bytes.writeUInt16LE(width, 26)
    bytes.writeUInt16LE(height, 28)
  } else {
    bytes.writeUInt16BE(height, frameIn(bytes) + 5)
    bytes.writeUInt16BE(width, frameIn(bytes) + 7)
  }
  return bytes
}

function riff(chunks: readonly (readonly [type: string, data: Uint8Array])[]): Bytes {
  const parts = chunks.map(([type, data]) => {
    const part = Buffer.alloc(8 + data.length + (data.length % 2))
    part.write(type)
    part.writeUInt32LE(data.length, 4)
    part.set(data, 8)
    return part
  })
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts])
  const head = Buffer.from('RIFF\0\0\0\0')
  head.writeUInt32LE(body.length, 4)
  return Buffer.concat([head, body])
}

export function riffChunks(file: Uint8Array): string[] {
  const bytes = Buffer.from(file)
  const types: string[] = []
  for (
    let at = 12;
    at + 8 <= bytes.length;
    at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)
  )
    types.push(bytes.toString('latin1', at, at + 4))
  return types
}

/** The chunk of a simple WebP that holds its pixels, with the head of an extended one. */
function pixelsOf(webp: Bytes, flags: number) {
  const head = Buffer.alloc(10)
  head[0] = flags
  head.writeUIntLE(300 - 1, 4, 3)
  head.writeUIntLE(450 - 1, 7, 3)
  return { head, pixels: webp.slice(20), type: Buffer.from(webp).toString('latin1', 12, 16) }
}

/** As Bun writes a picture with a colour profile. */
export function withProfile(file: Buffer, size: number): Bytes {
  const { head, pixels, type } = pixelsOf(new Uint8Array(file), 0x20)
  const { width, height } = { width: file.readUInt16LE(26), height: file.readUInt16LE(28) }
  head.writeUIntLE(width - 1, 4, 3)
  head.writeUIntLE(height - 1, 7, 3)
  return riff([
    ['VP8X', head],
    ['ICCP', Buffer.alloc(size)],
    [type, pixels],
  ])
}

export function extended(webp: Bytes): Bytes {
  const { head, pixels, type } = pixelsOf(webp, 0x20 | 0x08 | 0x04)
  const filler = Buffer.alloc(1_500_000)
  return riff([
    ['VP8X', head],
    ['ICCP', filler],
    [type, pixels],
    ['EXIF', filler],
    ['XMP ', filler],
  ])
}

export function animated(webp: Bytes): Bytes {
  const { head, pixels, type } = pixelsOf(webp, 0x02)
  const frame = Buffer.concat([
    Buffer.alloc(6),
    head.subarray(4),
    Buffer.alloc(4),
    riff([[type, pixels]]).subarray(12),
  ])
  return riff([['VP8X', head], ['ANIM', Buffer.alloc(6)], ...new Array(50).fill(['ANMF', frame])])
}

/** Two frames of 66 by 99 pixels. */
export const gif = Buffer.from(
  'R0lGODlhQgBjAPAAAP8AAAAAACH5BAAKAAAAIf8LTkVUU0NBUEUyLjADAQAAACwAAAAAQgBjAAACWYSPqcvtD6OctNqLs968+w+G4kiW5omm6sq27gvH8kzX9o3n+s73/g8MCofEovGITCqXzKbzCY1Kp9Sq9YrNarfcrvcLDovH5LL5jE6r1+y2+w2Py+f0ergAACH5BAAKAAAALAAAAABCAGMAgAAA/wAAAAJZhI+py+0Po5y02ouz3rz7D4biSJbmiabqyrbuC8fyTNf2jef6zvf+DwwKh8Si8YhMKpfMpvMJjUqn1Kr1is1qt9yu9wsOi8fksvmMTqvX7Lb7DY/L5/R6uAAAOw==',
  'base64',
)

/** 66 by 99 pixels of 10 % cyan, 80 % magenta, 30 % yellow and 5 % black. */
export const cmyk = Buffer.from(
  '/9j/7gAOQWRvYmUAZAAAAAAC/9sAQwAQCwwODAoQDg0OEhEQExgoGhgWFhgxIyUdKDozPTw5Mzg3QEhcTkBEV0U3OFBtUVdfYmdoZz5NcXlwZHhcZWdj/9sAQwEREhIYFRgvGhovY0I4QmNjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2NjY2Nj/8AAFAgAYwBCBAEiAAIRAQMRAQQiAP/EABYAAQEBAAAAAAAAAAAAAAAAAAADBv/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAWAQEBAQAAAAAAAAAAAAAAAAAABQb/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oADgQBAAIRAxEEAAA/AKAJ7NNyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAP/2Q==',
  'base64',
)

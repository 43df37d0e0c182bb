import { Readable } from 'node:stream'
import type { Exporter } from './entries'
import { type ExportFormat, exportFormats, formats, leftOutOf, type Pieces } from './formats'

/** A zip of every format, and of what each leaves out. Imports read its member `kiroku.json`. */
export async function* archive(exporter: Exporter): AsyncGenerator<Uint8Array> {
  const [{ ZipFile }, members] = [await import('yazl'), await membersOf(exporter)]
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const open: Readable[] = []
  for (const { name, write } of members)
    zip.addReadStreamLazy(
      name,
      { mtime: new Date(exporter.now()), compress: !name.endsWith('.gz') },
      (take) => {
        // yazl does not handle errors of its input streams.
        const source = Readable.from(write(), { highWaterMark: 1 }).on('error', (cause) =>
          output.destroy(cause),
        )
        open.push(source)
        take(null, source)
      },
    )
  zip.end()
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    for (const source of open) source.destroy()
  }
}

interface Member {
  readonly name: string
  write(): Pieces
}

async function membersOf(exporter: Exporter): Promise<readonly Member[]> {
  const members: Member[] = []
  for (const format of exportFormats) {
    members.push({ name: fileName(format), write: () => formats[format].write(exporter) })
    const left = await leftOutOf(format, exporter)
    if (left !== undefined) members.push({ name: `${format}.left-out.csv`, write: () => left.pieces })
  }
  return members
}

const fileName = (format: ExportFormat) =>
  format === 'csv' ? 'records.csv' : `${format}.${formats[format].ending}`

import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Exporter } from './entries'
import { type ExportFormat, exportFormats, formats, leftOutOf, type Pieces } from './formats'

/** A zip of every format, and of what each leaves out. Imports read it by its member `kiroku.json`. */
export async function* archive(exporter: Exporter): AsyncGenerator<Uint8Array> {
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const open: Readable[] = []
  zip.on('error', (cause) => output.destroy(cause))
  const add = (name: string, compress: boolean, pieces: () => Pieces) =>
    zip.addReadStreamLazy(name, { mtime: new Date(exporter.now()), compress }, (take) => {
      const source = Readable.from(pieces())
      open.push(source)
      take(null, source)
    })
  for (const format of exportFormats) {
    add(fileName(format), format !== 'mal', () => formats[format].write(exporter))
    const left = await leftOutOf(format, exporter)
    if (left !== undefined) add(`${format}.left-out.csv`, true, () => left.pieces)
  }
  zip.end()
  try {
    yield* output as AsyncIterable<Uint8Array>
  } finally {
    for (const source of open) source.destroy()
  }
}

const fileName = (format: ExportFormat) =>
  format === 'csv' ? 'records.csv' : `${format}.${formats[format].ending}`

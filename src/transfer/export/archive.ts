import { Readable } from 'node:stream'
import type { Exporter } from './entries'
import { type ExportFormat, exportFormats, formats, leftOutOf, type Pieces } from './formats'

/** A zip of every format, and of what each leaves out. Imports read it by its member `kiroku.json`. */
export async function* archive(exporter: Exporter): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  const open: Readable[] = []
  const fail = (cause: unknown) => output.destroy(cause instanceof Error ? cause : new Error(String(cause)))
  zip.on('error', fail)
  const add = (name: string, compress: boolean, pieces: () => Pieces) =>
    zip.addReadStreamLazy(name, { mtime: new Date(exporter.now()), compress }, (take) => {
      // yazl leaves errors of its sources to us.
      const source = Readable.from(pieces()).on('error', fail)
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

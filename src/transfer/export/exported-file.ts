import type { Exporter } from './entries'
import { type ExportFormat, exportFormats, formats, leftOutOf, type Pieces } from './formats'

/** What can be downloaded: a format, what it leaves out, or a zip of everything. */
export type ExportFile = ExportFormat | `${ExportFormat}.left-out` | 'all'

const listFormats = exportFormats.filter((format) => formats[format].missing !== undefined)

export const exportFiles: readonly ExportFile[] = [
  'all',
  ...exportFormats,
  ...listFormats.map((format) => `${format}.left-out` as const),
]

export interface ExportedFile {
  /** The part of the file name that says which file it is: `-mal.xml.gz`. */
  readonly ending: string
  readonly mediaType: string
  readonly pieces: Pieces
}

/** If a format leaves nothing out, that file is empty. */
export async function exportedFile(exporter: Exporter, file: ExportFile): Promise<ExportedFile> {
  if (file === 'all') {
    const { archive } = await import('./archive')
    return { ending: '.zip', mediaType: 'application/zip', pieces: archive(exporter) }
  }
  const left = listFormats.find((format) => file === `${format}.left-out`)
  if (left !== undefined) return leftOutFile(exporter, left)
  const format = exportFormats.find((one) => one === file) ?? 'kiroku'
  const { ending, mediaType, write } = formats[format]
  return { ending: `${endings[format]}.${ending}`, mediaType, pieces: write(exporter) }
}

const endings: Readonly<Record<ExportFormat, string>> = {
  kiroku: '',
  mal: '-mal',
  yamtrack: '-yamtrack',
  simkl: '-simkl',
  csv: '-records',
}

async function leftOutFile(exporter: Exporter, format: ExportFormat): Promise<ExportedFile> {
  const left = await leftOutOf(format, exporter)
  const { mediaType } = formats.csv
  return { ending: `-${format}.left-out.csv`, mediaType, pieces: left?.pieces ?? nothing() }
}

async function* nothing(): AsyncGenerator<string> {}

export const listLeftOut = (exporter: Exporter) =>
  Promise.all(
    listFormats.map(async (format) => ({ format, count: (await leftOutOf(format, exporter))?.count ?? 0 })),
  )

import { exportUser } from '../../accounts/export/export'
import { type Exporter, entriesOf } from './entries'
import type { Entry } from './entry'
import { type ListedWork, listedWorks } from './listed-works'
import { malXml } from './mal'
import { recordsCsv } from './records'
import { type Columns, csvTable } from './table'
import { simklCsv, yamtrackCsv } from './trackers'

export const exportFormats = ['kiroku', 'mal', 'yamtrack', 'simkl', 'csv'] as const
export type ExportFormat = (typeof exportFormats)[number]

/** UTF-8 text or packed bytes. */
export type Pieces = AsyncIterable<string | Uint8Array>

interface Writing {
  readonly ending: string
  readonly mediaType: string
  write(exporter: Exporter): Pieces
  /** Undefined: the work is in the file, provided that there is anything to say about it. */
  readonly missing?: (work: ListedWork) => LeftOutReason | undefined
}

const csv = { ending: 'csv', mediaType: 'text/csv; charset=utf-8' }

const withoutStatus = ({ status }: ListedWork) => (status === null ? 'no_status' : undefined)

/** Each piece is read when it is sent, so no file is a snapshot. */
export const formats: Readonly<Record<ExportFormat, Writing>> = {
  kiroku: {
    ending: 'json',
    mediaType: 'application/json; charset=utf-8',
    write: (exporter) => exportUser(exporter, exporter.userId),
  },
  mal: {
    ending: 'xml.gz',
    mediaType: 'application/gzip',
    write: (exporter) => packed(malXml(exporter)),
    missing: (work) => (work.malId === '' ? 'no_mal_id' : withoutStatus(work)),
  },
  yamtrack: { ...csv, write: (exporter) => tableOf(exporter, yamtrackCsv), missing: withoutStatus },
  simkl: { ...csv, write: (exporter) => tableOf(exporter, simklCsv), missing: withoutStatus },
  csv: { ...csv, write: recordsCsv },
}

/** Compresses with gzip, reading text as fast as the output is consumed. */
export async function* packed(text: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  const [{ Readable }, { createGzip }] = await Promise.all([import('node:stream'), import('node:zlib')])
  const [source, packing] = [Readable.from(text, { highWaterMark: 1 }), createGzip()]
  source.on('error', (cause) => packing.destroy(cause))
  try {
    yield* source.pipe(packing)
  } finally {
    source.destroy()
  }
}

async function* tableOf(exporter: Exporter, write: typeof simklCsv): AsyncGenerator<string> {
  const works = await listedWorks(exporter.read, { user: exporter.userId })
  yield* write(
    entriesOf(
      exporter,
      works.filter((work) => withoutStatus(work) === undefined),
    ),
  )
}

/** A table of the works that a format cannot hold; undefined if it holds all of them. */
export async function leftOutOf(format: ExportFormat, exporter: Exporter): Promise<LeftOut | undefined> {
  const { missing } = formats[format]
  if (missing === undefined) return undefined
  const works = await listedWorks(exporter.read, { user: exporter.userId })
  const left = works.flatMap((work) => {
    const reason = missing(work)
    return reason === undefined ? [] : [{ ...work, reason }]
  })
  return left.length === 0 ? undefined : { count: left.length, pieces: leftOutCsv(exporter, left) }
}

type LeftOutReason = 'no_mal_id' | 'no_status'

/** A table that can also be imported, as a custom one. */
function leftOutCsv(
  exporter: Exporter,
  works: readonly { readonly id: number; readonly reason: LeftOutReason }[],
): AsyncGenerator<string> {
  const reasons = new Map(works.map(({ id, reason }) => [id, reason]))
  const reason = ({ workId }: Entry) => reasons.get(workId) ?? null
  return csvTable({ ...leftOutColumns, reason }, entriesOf(exporter, works), 'for people')
}

const leftOutColumns: Columns<Entry> = {
  work_id: ({ workId }) => workId,
  title: ({ title }) => title,
  year: ({ year }) => year,
  status: ({ status }) => status,
  progress: ({ progress }) => progress,
  rating: ({ rating }) => rating,
  score: ({ score }) => score,
  started_on: ({ startedOn }) => startedOn,
  finished_on: ({ finishedOn }) => finishedOn,
  rewatches: ({ rewatches }) => rewatches,
  comment: ({ note }) => note,
}

export interface LeftOut {
  readonly count: number
  readonly pieces: Pieces
}

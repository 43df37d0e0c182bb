import { exportUser } from '../../accounts/export/export'
import { type Exporter, entriesOf } from './entries'
import { type LeftOutReason, leftOutCsv } from './left-out'
import { type ListedWork, listedWorks } from './listed-works'
import { malXml } from './mal'
import { packed } from './packed'
import { recordsCsv } from './records'
import { simklCsv } from './simkl'
import { yamtrackCsv } from './yamtrack'

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

export interface LeftOut {
  readonly count: number
  readonly pieces: Pieces
}

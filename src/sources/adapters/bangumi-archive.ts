import Type, { type Static } from 'typebox'
import { jsonReader } from '../json-answer'
import { digestOf } from '../packed/digest'
import {
  type AnswerBody,
  type Asking,
  defineSource,
  type RunScope,
  ShapeError,
  type SourceState,
} from '../source'
import { archiveLines } from './bangumi-archive/lines'

/** The weekly dump of bangumi: titles, counts and episodes of anime. Some 450 MB: streamed, never held in memory. */
export const bangumiArchive = defineSource<ArchiveAnswer>({
  name: 'bangumi-archive',
  title: 'bangumi Archive',
  licence: 'none stated',
  home: 'https://github.com/bangumi/Archive',
  hosts: [
    'raw.githubusercontent.com',
    'github.com',
    'release-assets.githubusercontent.com',
    'objects.githubusercontent.com',
  ],
  intervalMs: undefined,
  pace: { perSecond: 1, perHour: 10 },
  maxBytes: 2 ** 30,
  settings: [],
  matchTitles: true,
  requests,
  read: (as, body) => (as === 'latest' ? readLatest(body) : readZip(body)),
  lines: (answers, known, scope) =>
    archiveLines(
      answers.flatMap((answer) => ('zip' in answer ? [answer.zip] : [])),
      known,
      scope,
    ),
})

const Latest = Type.Object({
  browser_download_url: Type.String(),
  name: Type.String({ minLength: 1, maxLength: 200 }),
  size: Type.Integer({ minimum: 1 }),
  digest: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }),
})

type ArchiveAnswer =
  | { readonly latest: Static<typeof Latest> }
  | { readonly zip: AnswerBody; readonly size: number; readonly digest: string }

function* requests({ isFull }: RunScope, state: SourceState): Asking<ArchiveAnswer, SourceState> {
  const url = 'https://raw.githubusercontent.com/bangumi/Archive/master/aux/latest.json'
  const first = yield { url, as: 'latest', accept: ['text/plain', 'application/json'], isUnconditional: true }
  if (!('latest' in first)) return state
  const { browser_download_url, name, size, digest } = first.latest
  if (state.name === name && !isFull) return state
  const accept = ['application/octet-stream', 'application/zip']
  const second = yield { url: browser_download_url, as: 'zip', accept, isUnconditional: true }
  if ('zip' in second && (second.size !== size || second.digest !== digest))
    throw new ShapeError(name, 'is not the file that latest.json tells of')
  return { name }
}

const latestReader = jsonReader('latest.json', Latest)

async function readLatest(body: AnswerBody): Promise<ArchiveAnswer> {
  return { latest: await latestReader(body) }
}

async function readZip(zip: AnswerBody): Promise<ArchiveAnswer> {
  const { size, sha256 } = await digestOf(zip)
  return { zip, size, digest: `sha256:${sha256}` }
}

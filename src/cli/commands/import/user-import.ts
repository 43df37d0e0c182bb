import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { settings } from '../../../config'
import { Failure } from '../../../lib/failure'
import type { Option } from '../../../options/option'
import { shownImport } from '../../../transfer/api/import-schema'
import { optionsOf } from '../../../transfer/api/imports'
import { mustAnswer } from '../../../transfer/batch/file-facts'
import type { ListImport } from '../../../transfer/batch/list-import'
import type { ListFile, Lists, NewOptions } from '../../../transfer/batch/lists'
import { RefusedFile } from '../../../transfer/file/refused-file'
import { conflictPolicies, scoreFormats } from '../../../transfer/plan/planned-row'
import { refusalText } from '../../../transfer/refusal'
import { sources } from '../../../transfer/sources'
import { anyText, oneOf } from '../../../values/text'
import { timeZone } from '../../../values/time'
import type { Value } from '../../../values/value'
import { type CliCall, type Command, flag, json } from '../../command'
import { createProgress } from '../../progress'
import { leftOver, questionText, reportText, requireDone } from './report'
import { withLists } from './with-lists'

/** Undefined if not given. */
const optional = <T>(
  name: string,
  type: string,
  sentence: string,
  value: Value<T>,
): Option<T | undefined> => ({
  name,
  type,
  sentence,
  defaultText: '',
  defaultValue: undefined,
  value,
})

const source = optional(
  'source',
  'SOURCE',
  'The service that the file is from, if it cannot be detected.',
  oneOf(sources),
)
const columns = optional(
  'columns',
  'FIELD=COLUMN,…',
  'For a table whose columns are not known: the name or number of each, such as title=1,status=3; remembered.',
  anyText,
)
const conflict = optional(
  'conflict',
  conflictPolicies.join('|'),
  'Which status, rating and review win where the file differs from what is here. Default: keep.',
  oneOf(conflictPolicies),
)
const scoreFormat = optional(
  'score-format',
  scoreFormats.join('|'),
  'The scale of the scores, if the file does not state it.',
  oneOf(scoreFormats),
)
const zone = optional(
  'time-zone',
  'ZONE',
  'The time zone of times without one. Default: the user’s.',
  timeZone,
)
const includePrivate = flag(
  'include-private',
  'Also imports private entries, which only their user sees here, too.',
)
const allPrivate = flag('all-private', 'Lets nobody but the user see what it imports.')
const fileUser = optional(
  'user',
  'NAME',
  'Whose entries to import from a file with several users, by their name in it.',
  anyText,
)
const completeWatched = flag(
  'complete-watched',
  'Treats finished works with only some episodes watched as watched completely.',
)
const acceptProbable = flag(
  'accept-probable',
  'Also imports rows to check whose only suggestion has the same title and medium.',
)
const dryRun = flag('dry-run', 'Reports what the import would do, and changes nothing.')

export const userImport: Command = {
  name: 'user import',
  summary: "Takes over somebody's list from a file of another service, or from standard input (-).",
  operands: [{ name: 'USERNAME' }, { name: 'FILE|-' }],
  options: [
    ...[dryRun, conflict, source, columns, scoreFormat, zone],
    ...[fileUser, includePrivate, allPrivate, completeWatched, acceptProbable, json],
  ],
  examples: [
    'kiroku user import mio animelist.xml.gz --dry-run',
    'kiroku user import mio trakt-export.zip --accept-probable',
    'kiroku user import mio watched.csv --columns title=1,status=3,rating=Score',
  ],
  run: async (call) => {
    const [, path = ''] = call.operands
    const done = await withLists(call, (lists, userId) =>
      withFile(call.get(settings.data), path, (file) => importFile(call, { lists, userId, file })),
    )
    await call.print(call.get(json) ? JSON.stringify(shownImport(done), null, 2) : reportText(done))
    const rows = leftOver(done)
    if (rows > 0)
      throw new Failure(
        'leftOver',
        `${rows.toLocaleString('en')} row${rows === 1 ? ' was' : 's were'} not imported`,
      )
  },
}

interface Job {
  readonly lists: Lists
  readonly userId: number
  readonly file: ListFile
}

async function importFile(call: CliCall, { lists, userId, file }: Job): Promise<ListImport> {
  const progress = createProgress()
  const preview = await lists.read(userId, file, chosenOptions(call)).catch(refused)
  if (call.get(dryRun)) {
    await lists.remove(userId, preview.id)
    return preview
  }
  const [open] = mustAnswer(preview.asks, preview)
  if (open !== undefined) {
    await lists.remove(userId, preview.id)
    throw new Failure('usage', questionText(open, preview))
  }
  await lists.apply(userId, preview.id, { acceptsProbable: call.get(acceptProbable) })
  const timer = setInterval(() => void show().catch(() => {}), 250)
  const show = async () => {
    const { done, total } = (await lists.find(userId, preview.id)).progress
    progress.show(`applying: ${done.toLocaleString('en')} of ${total.toLocaleString('en')} rows`)
  }
  await lists.settled(preview.id).finally(() => {
    clearInterval(timer)
    progress.end()
  })
  return requireDone(await lists.find(userId, preview.id))
}

const chosenOptions = ({ get }: CliCall): NewOptions => ({
  source: get(source),
  columns: get(columns),
  ...optionsOf({
    conflict: get(conflict),
    score_format: get(scoreFormat),
    time_zone: get(zone),
    include_private: get(includePrivate),
    all_private: get(allPrivate),
    user: get(fileUser),
    complete_watched: get(completeWatched),
  }),
})

function refused(cause: unknown): never {
  throw cause instanceof RefusedFile ? new Failure('data', refusalText(cause)) : cause
}

/** Passes a file to `use`; standard input is copied to a file first. */
async function withFile<T>(directory: string, path: string, use: (file: ListFile) => Promise<T>): Promise<T> {
  if (path !== '-') {
    const found = await stat(path).catch((cause: unknown) => {
      throw new Failure('noInput', `cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`)
    })
    if (found.isDirectory()) throw new Failure('noInput', `cannot read ${path}: it is a directory`)
    return await use({ path, name: basename(path) })
  }
  const folder = await mkdtemp(join(directory, 'import-'))
  try {
    const copy = join(folder, 'list')
    await pipeline(Bun.stdin.stream(), createWriteStream(copy, { mode: 0o600 }))
    return await use({ path: copy, name: 'standard input' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

import { Database } from 'bun:sqlite'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { triggersText } from '../db/triggers/text'
import { migrate } from '../src/db/migrate'
import { released } from '../test/support/released'

const folder = 'db/migrations'

export interface TriggerMigration {
  readonly file: string
  /** Empty if the earlier migrations leave exactly the declared triggers: the file is not needed. */
  readonly text: string
}

/** The trigger migration of the version being worked on, with the next number if there is none yet. */
export async function newestTriggers(): Promise<TriggerMigration> {
  const names = migrationNames()
  const newest = names.findLast((name) => isPrinted(name) && !isReleased(name))
  const next = Number(names.at(-1)?.slice(0, 4)) + 1
  const name = newest ?? `${String(next).padStart(4, '0')}_triggers`
  const text = await missingAfter(names.filter((other) => other < name))
  return { file: `${folder}/${name}.sql`, text }
}

/** What `bun run check` says of it. */
export async function triggerProblems(): Promise<string[]> {
  const { file, text } = await newestTriggers()
  if (text === '' && existsSync(file)) return [`${file}: ${needless}`]
  if (text !== (existsSync(file) ? readFileSync(file, 'utf8') : ''))
    return [`${file}: not what db/facts say; run \`bun run triggers\``]
  const isLast = (await missingAfter(migrationNames())) === ''
  return isLast ? [] : [`${file}: a later migration changes its triggers; give it a number after that one`]
}

/** The statements that still lack once these migrations have run. */
async function missingAfter(names: readonly string[]): Promise<string> {
  using handle = new Database(':memory:')
  await migrate(handle, Object.fromEntries(names.map((name) => [name, textOf(name)])))
  return triggersText(handle, names.filter(isPrinted).map(textOf))
}

const migrationNames = () =>
  readdirSync(folder)
    .map((file) => file.replace(/\.sql$/, ''))
    .sort()

const isPrinted = (name: string) => name.endsWith('_triggers')

const isReleased = (name: string) => released.some(({ digests }) => name in digests)

const textOf = (name: string) => readFileSync(`${folder}/${name}.sql`, 'utf8')

const needless =
  'the earlier migrations already create the triggers that db/facts declare; remove it, and its name from src/db/migrations.ts'

if (import.meta.main) {
  const { file, text } = await newestTriggers()
  if (text !== '') {
    const isNew = !existsSync(file)
    await Bun.write(file, text)
    if (isNew) console.log(`${file} is new: name it in src/db/migrations.ts`)
  } else if (existsSync(file)) {
    console.error(`${file}: ${needless}`)
    process.exit(1)
  }
}
